/// The elements of real models, of whose stores both the version hashes and the schemas are known.
///
/// Indexes are part of a schema only: they take no part in a hash.
package enum KnownModels {
  /// alemar11/CoreDataPlus (MIT), Tests/Resources/SampleModel: the first version, of which
  /// Fixtures/SampleModel_V1.sqlite is (framework 1044).
  package static let coreDataPlus = """
    <entity name="Car">
      <attribute name="color" optional="YES" attributeType="Transformable"/>
      <attribute name="currentDrivingSpeed" optional="YES" transient="YES" attributeType="Integer 64"/>
      <attribute name="maker" optional="YES" attributeType="String"/>
      <attribute name="markedForDeletionAsOf" optional="YES" attributeType="Date"/>
      <attribute name="model" optional="YES" attributeType="String"/>
      <attribute name="numberPlate" attributeType="String"/>
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="cars" inverseEntity="Person"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="numberPlate"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="ExpensiveSportCar" parentEntity="SportCar">
      <attribute name="isLimitedEdition" optional="YES" attributeType="Boolean"/>
    </entity>
    <entity name="Person">
      <attribute name="firstName" optional="YES" attributeType="String"/>
      <attribute name="id" attributeType="UUID" preserveAfterDeletion="YES"/>
      <attribute name="isDriving" transient="YES" attributeType="Boolean"/>
      <attribute name="lastName" optional="YES" attributeType="String"/>
      <attribute name="updatedAt" attributeType="Date"/>
      <relationship name="cars" optional="YES" toMany="YES" destinationEntity="Car" inverseName="owner" inverseEntity="Car"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="firstName"/><constraint value="lastName"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="SportCar" parentEntity="Car"/>
    """

  /// objcio/core-data (MIT), Migrations: the version of MigrationsTests/"Moody 2.moody" (framework 637).
  package static let moody = """
    <entity name="Continent" parentEntity="GeographicRegion">
      <attribute name="numberOfCountries" attributeType="Integer 64"/>
      <relationship name="countries" toMany="YES" destinationEntity="Country" inverseName="continent" inverseEntity="Country"/>
    </entity>
    <entity name="Country" parentEntity="GeographicRegion">
      <relationship name="continent" optional="YES" maxCount="1" destinationEntity="Continent" inverseName="countries" inverseEntity="Continent"/>
      <relationship name="moods" toMany="YES" destinationEntity="Mood" inverseName="country" inverseEntity="Mood"/>
    </entity>
    <entity name="GeographicRegion" isAbstract="YES">
      <attribute name="markedForDeletionDate" optional="YES" attributeType="Date"/>
      <attribute name="numberOfMoods" attributeType="Integer 64"/>
      <attribute name="numericISO3166Code" attributeType="Integer 16"/>
      <attribute name="uniquenessDummy" attributeType="Integer 16"/>
      <attribute name="updatedAt" attributeType="Date"/>
      <compoundIndexes><compoundIndex><index value="markedForDeletionDate"/><index value="updatedAt"/></compoundIndex></compoundIndexes>
      <uniquenessConstraints><uniquenessConstraint><constraint value="numericISO3166Code"/><constraint value="uniquenessDummy"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Mood">
      <attribute name="colors" optional="YES" attributeType="Transformable"/>
      <attribute name="creatorID" optional="YES" attributeType="String"/>
      <attribute name="date" attributeType="Date"/>
      <attribute name="latitude" optional="YES" attributeType="Double"/>
      <attribute name="longitude" optional="YES" attributeType="Double"/>
      <attribute name="markedForDeletionDate" optional="YES" attributeType="Date" indexed="YES"/>
      <attribute name="markedForRemoteDeletion" attributeType="Boolean"/>
      <attribute name="rating" attributeType="Integer 16"/>
      <attribute name="remoteID" optional="YES" attributeType="String" indexed="YES" elementID="remoteIdentifier"/>
      <relationship name="country" optional="YES" maxCount="1" destinationEntity="Country" inverseName="moods" inverseEntity="Country"/>
      <compoundIndexes><compoundIndex><index value="markedForRemoteDeletion"/><index value="markedForDeletionDate"/><index value="date"/></compoundIndex></compoundIndexes>
    </entity>
    """

  /// Karim-ezzedine/CartKit (Apache-2.0): the model that LegacyCoreData/CartStorage_v1.sqlite keeps
  /// (framework 1523).
  package static let cartStorage = """
    <entity name="CDCart">
      <attribute name="context" optional="YES" attributeType="String"/>
      <attribute name="createdAt" attributeType="Date"/>
      <attribute name="displayName" optional="YES" attributeType="String"/>
      <attribute name="id" attributeType="String"/>
      <attribute name="maxItemCount" optional="YES" attributeType="Integer 32"/>
      <attribute name="metadataJSON" optional="YES" attributeType="Binary"/>
      <attribute name="minSubtotalAmount" optional="YES" attributeType="Decimal"/>
      <attribute name="minSubtotalCurrencyCode" optional="YES" attributeType="String"/>
      <attribute name="profileId" optional="YES" attributeType="String"/>
      <attribute name="status" attributeType="String"/>
      <attribute name="storeId" attributeType="String"/>
      <attribute name="storeImageURL" optional="YES" attributeType="String"/>
      <attribute name="updatedAt" attributeType="Date"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="CDCartItem" inverseName="cart" inverseEntity="CDCartItem"/>
    </entity>
    <entity name="CDCartItem">
      <attribute name="availableStock" optional="YES" attributeType="Integer 32"/>
      <attribute name="id" attributeType="String"/>
      <attribute name="imageURL" optional="YES" attributeType="String"/>
      <attribute name="productId" attributeType="String"/>
      <attribute name="quantity" attributeType="Integer 32"/>
      <attribute name="totalPriceAmount" optional="YES" attributeType="Decimal"/>
      <attribute name="totalPriceCurrencyCode" optional="YES" attributeType="String"/>
      <attribute name="unitPriceAmount" attributeType="Decimal"/>
      <attribute name="unitPriceCurrencyCode" optional="YES" attributeType="String"/>
      <relationship name="cart" optional="YES" maxCount="1" destinationEntity="CDCart" inverseName="items" inverseEntity="CDCart"/>
      <relationship name="modifiers" optional="YES" toMany="YES" destinationEntity="CDCartItemModifier"/>
    </entity>
    <entity name="CDCartItemModifier">
      <attribute name="id" attributeType="String"/>
      <attribute name="name" attributeType="String"/>
      <attribute name="priceDeltaAmount" attributeType="Decimal"/>
      <attribute name="priceDeltaCurrencyCode" attributeType="String"/>
      <relationship name="item" optional="YES" maxCount="1" destinationEntity="CDCartItem"/>
    </entity>
    """
}
