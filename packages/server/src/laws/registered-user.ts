/** The first user of an account, signed in. */
export interface RegisteredUser {
  readonly email: string
  readonly password: string
  readonly userId: string
  readonly jti: string
  readonly token: string
  readonly refreshToken: string
}
