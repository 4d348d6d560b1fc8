internal import StrataBase

extension CheckRule.Kind {
  /// The page of the rule, shown by `help RULE`.
  var page: RulePage {
    let (title, explanation) = text
    return RulePage(rawValue, title, explanation)
  }

  private var text: (title: String, explanation: String) {
    switch self {
    case .versionEdited:
      (
        "Shipped version was edited",
        """
        A release contained this model version with other hashes. Stores that this release wrote no longer open with \
        the edited version, and no migration starts from it. Restore the version from the release, and make the \
        change in a new version. It is a warning if the release contained the version and no release tag has it as \
        its current version: it may have shipped before the first tag.
        """
      )
    case .versionGone:
      (
        "Shipped version is not in the bundle",
        """
        A release contained a model version that no bundle has any more, under any name. Core Data needs the model \
        of a store to migrate it. Restore the version from the release. It is a warning if the release contained the \
        version and no release tag has it as its current version: it may have shipped before the first tag.
        """
      )
    case .versionCurrent:
      (
        "Current version cannot be released",
        """
        The file that names the current version names none of the bundle, one that cannot be read, or one older than \
        a shipped version or with the hashes of an older one. Stores of the newer version would not open, or would be \
        migrated back. Choose the current version in Xcode. Without a current version, no migrations are checked, \
        which is status 2. To go back to an older version on purpose, accept the finding; once a release has it as its \
        current version, the finding disappears: the last release with each version counts.
        """
      )
    case .versionSkipped:
      (
        "Current version lacks the changes of another branch",
        """
        The revision of --since has a newer current version, and the current version here was made from the one \
        before it. Once both are merged, what the other branch changed is undone. Make the version again from the \
        newer one.
        """
      )
    case .versionTwins:
      (
        "Versions have equal hashes",
        """
        Core Data cannot distinguish two versions with equal hashes. A staged migration refuses them: with this \
        strategy it is an error. Usually the newer one was created and never edited.
        """
      )
    case .versionUnused:
      (
        "New version is not current",
        """
        A version that the base does not have is neither the current version nor shipped: the app does not use it. \
        Choose it as the current version in Xcode, or delete it.
        """
      )
    case .versionUntagged:
      (
        "Versions are older than the first release tag",
        """
        The bundle of the first release contained older versions, and no release tag has them as its current version. \
        If they shipped, users have stores of them, and their migration is not checked: tag the commits of these \
        releases, or record the versions with `strata lock`. Versions that never shipped need nothing.
        """
      )
    case .lockMissing:
      (
        "Version was removed from the lock file",
        """
        The file strata.lock at the base names a shipped version that the file no longer has. Restore its lines. If \
        no user has a store of it any more, keep its name and write `retired "reason"` after it.
        """
      )
    case .lockRewritten:
      (
        "Lines of the lock file were changed",
        """
        The release or the hashes of a shipped version in strata.lock differ from those at the base. What shipped \
        does not change: restore the lines, and make changes to the model in a new version.
        """
      )
    case .pathNone:
      (
        "No path from a shipped version",
        """
        Stores of a shipped version cannot be migrated to the current version: no mapping model fits, and none can \
        be inferred. The message names the obstacle; `infer` and `plan` list the fixes.
        """
      )
    case .pathChanged:
      (
        "Stores are migrated by other means than before",
        """
        At the base, stores of a shipped version were migrated with a mapping model; now the mapping model is \
        inferred, or another one is used. The written mapping model no longer fits, or does not end at the current \
        version. Values that it copied or computed may be lost.
        """
      )
    case .pathMissingStep:
      (
        "Stages do not reach the current version",
        """
        A stages file names versions of the bundle, and its current version is in no stage. A staged migration then \
        fails. Add a stage that ends at the current version.
        """
      )
    case .lossValues:
      (
        "Values are lost",
        """
        The migration of stores of a shipped version loses values of this property. It is an error if the plan at \
        the base, by default the last release, does not lose them too. If that is intended, accept the finding with a \
        reason in strata.toml; `check --write-accepts` does it for all.
        """
      )
    case .lossObjects:
      (
        "Objects are lost",
        """
        The migration of stores of a shipped version loses objects of this entity. It is an error if the plan at \
        the base, by default the last release, does not lose them too. If that is intended, accept the finding with a \
        reason in strata.toml; `check --write-accepts` does it for all.
        """
      )
    case .lossLinks:
      (
        "Links are lost",
        """
        The migration of stores of a shipped version loses links of this relationship. It is an error if the plan at \
        the base, by default the last release, does not lose them too. If that is intended, accept the finding with a \
        reason in strata.toml; `check --write-accepts` does it for all.
        """
      )
    case .lossOrder:
      (
        "Order is lost",
        """
        An ordered relationship becomes unordered: the order of its objects is lost. If that is intended, accept \
        the finding with a reason.
        """
      )
    case .failsRequired:
      (
        "Migration fails if a required value is missing",
        """
        The current version requires a value, and there is no default value. Of a new attribute it is an error: every \
        object lacks the value. Of one that becomes required it is a warning that follows from the models alone, and an \
        error if a migrated store shows it.
        """
      )
    case .failsUnique:
      (
        "Migration fails if values are not unique",
        """
        The current version has a new uniqueness constraint. A warning follows from the models alone; if a migrated \
        store violates it, it is an error.
        """
      )
    case .failsUnsavable:
      (
        "Migrated objects cannot be saved",
        """
        Objects of the migrated store violate the rules of the current version. Core Data opens the store, and the \
        app fails when it next saves one of them.
        """
      )
    case .renameLikely:
      (
        "Probably a rename",
        """
        A property or an entity was removed, and a similar one was added. If it was renamed, its renaming identifier \
        is missing, and its values are lost: the loss itself is loss/values, loss/links or loss/objects. Set the \
        renaming identifier of the new one to the old name.
        """
      )
    case .mappingStale:
      (
        "Mapping model is stale",
        """
        One model that the mapping model was saved for has been edited since. Core Data ignores the mapping model \
        without a message. Open and save it in Xcode; `mapping lint` names the command that writes it for the models as \
        they are.
        """
      )
    case .mappingAmbiguous:
      (
        "Several mapping models fit",
        """
        Core Data uses the first that it finds, and the order is undefined. Delete all but one, or migrate with \
        another strategy.
        """
      )
    case .mappingShadowed:
      (
        "Another mapping model is used instead",
        """
        The mapping model fits a migration of shipped versions, which another mapping model or an inferred one \
        performs. Delete one of them, or set the strategy by which the app uses it.
        """
      )
    case .mappingUnreachable:
      (
        "No migration uses the mapping model",
        """
        With the strategy of the project no shipped version is migrated with this mapping model. It is needed only \
        if the app uses it by itself.
        """
      )
    case .mappingKeyPath:
      (
        "Expression of a mapping model is wrong",
        """
        A value expression, filter or relationship mapping names something that the models do not have. The \
        migration fails, or the value is missing.
        """
      )
    case .mappingType:
      (
        "Mapping model does not satisfy the current version",
        """
        A property mapping gives a value of the wrong type or none, an entity mapping is missing, or its filter leaves \
        objects to none. The migration fails, or loses objects. What a migrated store loses is loss/objects, \
        loss/values or loss/links: an error if the plan at the base does not lose as much.
        """
      )
    case .policyUnknown:
      (
        "Policy of a mapping model is unknown",
        """
        The app implements this migration policy; without a policy file for it, the migration is planned and not \
        performed: the exit status is 2, unless the finding is accepted. `help policies` describes policy files.
        """
      )
    case .cloudKitModel:
      (
        "Model cannot be mirrored to CloudKit",
        """
        The model is marked as used with CloudKit, or strata.toml says so, and breaks a rule of \
        NSPersistentCloudKitContainer: its stores do not load. `cloudkit` lists the rules.
        """
      )
    case .cloudKitSchema:
      (
        "Change is no addition to the CloudKit schema",
        """
        A deployed CloudKit schema allows only additions, and this change since the last release removes, renames or \
        redefines a field. `cloudkit` shows the ways to release it.
        """
      )
    case .storeUnreadable:
      (
        "Store cannot be read",
        """
        The file has the form of a store and cannot be read, so its migration is not tested. `doctor` shows what is \
        wrong with it. Replace it with a copy that is whole. It is a warning if the file only has the name of a store, \
        such as an empty .sqlite file; one that strata.toml lists, or a pointer of Git LFS, is status 2.
        """
      )
    case .storeUnknownVersion:
      (
        "Store of no known version",
        """
        No version of the bundles has the hashes of this store. Either a shipped version was edited, or the store \
        belongs to another app.
        """
      )
    case .storeExternalMissing:
      (
        "Files of binary data are missing",
        """
        The store refers to files with external binary data, in the folder .NAME_SUPPORT beside it, that are not \
        there. Values of these attributes are not migrated in the check.
        """
      )
    case .acceptReason:
      (
        "Acceptance has no reason",
        """
        The file strata.toml accepts a finding with the text that `check --write-accepts` writes in place of a \
        reason. Write why the project can live with the finding, so that others can judge it later.
        """
      )
    case .acceptUnused:
      (
        "Accepted finding is no longer found",
        """
        The file strata.toml accepts a finding that this check does not have: it was fixed, or its text is \
        misspelled. Remove the table, so that the finding is not accepted when it comes back.
        """
      )
    }
  }
}
