/** A thing as it was before a change and as it is now: the audit log says what differs. */
export interface Changed<T> {
  readonly before: T
  readonly after: T
}
