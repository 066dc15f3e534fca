type Code =
  | 'invalid_request'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'

/** A refusal in the form of OAuth (RFC 6749, section 5.2), which its clients read instead of problem documents. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: Code
  constructor(code: Code, description: string) {
    super(description)
    this.code = code
  }
}
