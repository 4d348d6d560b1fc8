internal import StrataBase
internal import StrataPages
internal import StrataRendering

extension CheckReport {
  /// The result as a page: the verdict, the findings, the migrations, and the receipt of each on request.
  var page: HTMLPage {
    var page = HTMLPage(
      title: "strata check: \(checked.unchanged == nil ? verdict.text : heading.text)")
    for problem in unchecked {
      let place = problem.location.map { "\($0.description): " } ?? ""
      page.add(.answer("not checked: \(place)\(problem.what)"))
    }
    page.add(.view(view))
    for (row, receipt) in zip(rows, receipts) where receipt != .nothing {
      page.add(
        .details(
          "\(row.bundle): \(row.from) → \(row.to), \(row.store ?? "generated store")",
          [.view(receipt)]))
    }
    return page
  }
}
