/** The credential of an `Authorization: Bearer` header (RFC 6750); `undefined` for any other header. */
export function bearerOf(authorization: string): string | undefined {
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1]
}
