/// An argument or the result of a method that a value expression calls on a policy.
public enum MethodValue {
  /// A number, a text, bytes or nothing.
  case value(AttributeValue)
  /// An object of the source store.
  case source(SourceObject)
  /// An object of the destination store.
  case destination(DestinationObject)
  /// A set, or an array if the order matters.
  case collection([MethodValue], isOrdered: Bool)
  /// An argument that policies cannot read, by its class: `NSEntityMapping`. It is no result.
  case unavailable(String)
}
