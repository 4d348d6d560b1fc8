import StrataGit

/// Model bundles as a whole, and files named `contents` elsewhere.
func modelFilter(_ names: [String], _ kind: GitEntry.Kind) -> GitChoice {
  switch names.last {
  case "Pods": .exclude
  case let name? where name.hasSuffix(".xcdatamodeld"): .include
  case "contents": .include
  default: .search
  }
}

func all(_ names: [String], _ kind: GitEntry.Kind) -> GitChoice { .include }

extension GitTree {
  var paths: [String] { entries.map(\.path) }
}

extension GitRepository {
  func tags(matching pattern: String) throws -> [GitTag] {
    try tags { GitPattern(tags: pattern).matches($0) }
  }

  func text(_ id: GitObjectID?) throws -> String? {
    try id.map { String(decoding: try blob($0), as: UTF8.self) }
  }
}

/// The error of a closure; `nil` if it has none or of another type.
func gitError(_ work: () throws -> Void) -> GitError? {
  do {
    try work()
    return nil
  } catch {
    return error as? GitError
  }
}
