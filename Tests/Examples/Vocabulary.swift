// The values that examples in doc comments use without declaring them. Examples are compiled and never run: see
// `Scripts/check-examples`.

import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore

/// The versions of the sample Topics.
var model1: ObjectModel { unspecified() }
var model2: ObjectModel { unspecified() }
var model3: ObjectModel { unspecified() }
var model4: ObjectModel { unspecified() }
var model5: ObjectModel { unspecified() }

/// The versions of the sample Recipes.
var recipes1: ObjectModel { unspecified() }
var recipes2: ObjectModel { unspecified() }

/// Versions of Topics with their names.
var version1: NamedModel { unspecified() }
var version4: NamedModel { unspecified() }
var version5: NamedModel { unspecified() }

/// All versions of Topics, and the mapping models between them.
var versions: [NamedModel] { unspecified() }
var mappings: [NamedMappingModel] { unspecified() }

/// A mapping model from `model1` to `model2`.
var mapping: MappingModel { unspecified() }

/// An inferred hop from `model1` to `model5`, and its report on the store at `path`.
var hop: MigrationPlan.Hop { unspecified() }
var report: MigrationReport { unspecified() }

/// The path of a store of `model1` with three topics that have a presenter's name, and the store itself.
var path: String { unspecified() }
var reader: StoreReader { unspecified() }

private func unspecified<Value: ~Copyable>() -> Value { fatalError("examples are not run") }
