/** The response for an error code. */
export interface ErrorRow {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 417 | 422 | 429 | 431 | 500 | 503
  readonly title: string
  readonly detail: string
}

/** The one catalogue of errors: every response other than success. Codes never change their meaning. */
export const errorCatalogue = {
  // 400: the request is malformed.
  request_invalid: { status: 400, title: 'Invalid request', detail: 'The request does not match what this operation takes; see `errors`.' },
  malformed_json: { status: 400, title: 'Malformed JSON', detail: 'The body is not JSON in UTF-8.' },
  malformed_request: { status: 400, title: 'Malformed request', detail: 'The request is not valid HTTP, or its URL cannot be decoded.' },
  // 401: no credential, or one that is not valid.
  unauthenticated: {
    status: 401,
    title: 'Not signed in',
    detail: 'Send `Authorization: Bearer` with a valid access token or API key.',
  },
  token_expired: { status: 401, title: 'Token expired', detail: 'The credential has expired. Refresh it or sign in again.' },
  invalid_credentials: { status: 401, title: 'Sign-in refused', detail: 'The e-mail address or the password is wrong.' },
  account_deleted: {
    status: 401,
    title: 'Account deleted',
    detail: 'The account was deleted. The link in the mail about that restores it until `restorableUntil`.',
  },
  insufficient_authentication: {
    status: 401,
    title: 'Recent authentication required',
    detail: 'Prove your identity again by `POST /api/v1/auth/step-up`, then repeat the request. An API key cannot do this.',
  },
  link_invalid: { status: 401, title: 'Link not valid', detail: 'The link is wrong, was used already, or has expired. Ask for a new one.' },
  code_invalid: { status: 401, title: 'Code refused', detail: 'The code is wrong, was used already, or has expired.' },
  refresh_token_invalid: { status: 401, title: 'Session ended', detail: 'The refresh token is no longer valid. Sign in again.' },
  signature_invalid: { status: 401, title: 'Signature not valid', detail: 'The request is not signed with the secret of this webhook.' },
  external_sign_in_failed: {
    status: 401,
    title: 'External sign-in failed',
    detail: 'The sign-in with the external provider failed. Begin it again.',
  },
  sign_in_code_invalid: {
    status: 401,
    title: 'Sign-in code not valid',
    detail: 'The code was used, has expired, or belongs to another browser. Begin the sign-in again.',
  },
  // 403: authenticated, and not allowed.
  forbidden: { status: 403, title: 'Not allowed', detail: 'The caller is not allowed to do this.' },
  insufficient_scope: { status: 403, title: 'Scope missing', detail: 'The credential lacks a scope that this operation needs.' },
  key_restricted: {
    status: 403,
    title: 'Key limited to workflows',
    detail: 'The API key is limited to chosen workflows, and does not allow this request. Use a key without this limit.',
  },
  insufficient_role: { status: 403, title: 'Role too low', detail: 'The role of this user does not allow this operation.' },
  sign_in_not_permitted: {
    status: 403,
    title: 'Sign-in not permitted',
    detail: 'The external identity is not permitted to sign in here. Ask an administrator of the account.',
  },
  publishing_restricted: {
    status: 403,
    title: 'Publishing restricted',
    detail: 'In this account, only administrators and owners publish workflows. Keep a draft, and ask one of them to publish it.',
  },
  consent_required: { status: 403, title: 'Consent required', detail: 'The account has not given the consent that this operation needs.' },
  owner_gated: {
    status: 403,
    title: 'Not available',
    detail: 'Unavailable until the owner of the installation opens this gate in its configuration.',
  },
  proof_required: {
    status: 403,
    title: 'Proof of work required',
    detail: 'Solve the `challenge` of this response, and repeat the request with `proof`. Callers who are signed in need none.',
  },
  // 404: does not exist, or belongs to another account.
  not_found: { status: 404, title: 'Not found', detail: 'There is no such resource.' },
  route_not_found: { status: 404, title: 'No such operation', detail: 'Nothing is served at this method and path.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'The path exists, and has not this method; see the header `Allow`.',
  },
  // 408 and 417 come from HTTP itself.
  request_timeout: { status: 408, title: 'Request timed out', detail: 'The request did not arrive completely in time.' },
  expectation_failed: { status: 417, title: 'Expectation not met', detail: 'Only `Expect: 100-continue` is understood.' },
  // 409: the state does not allow it.
  conflict: { status: 409, title: 'Conflict', detail: 'The state of the resource does not allow this.' },
  revision_mismatch: {
    status: 409,
    title: 'Changed in the meantime',
    detail: 'The resource is no longer at the revision that `If-Match` names. Read it again and repeat the change.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Idempotency key reused',
    detail: 'This `Idempotency-Key` was used with another request. Use a new key for a new request.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request still in progress',
    detail: 'The first request with this `Idempotency-Key` is still in progress. Repeat this one later.',
  },
  loop_detected: {
    status: 409,
    title: 'Loop detected',
    detail:
      '50 executions in a row have each caused the next one by a request or an event (header `Millrace-Depth`). End the loop by a condition in the workflow.',
  },
  email_taken: { status: 409, title: 'Address in use', detail: 'A user with this e-mail address exists.' },
  identity_not_linked: {
    status: 409,
    title: 'Identity not linked',
    detail: 'A user with this address exists. Sign in to that user in the usual way and link the provider there.',
  },
  identity_in_use: {
    status: 409,
    title: 'Identity in use',
    detail: 'The external identity is linked to another user, or the user has another identity of this provider. Unlink that one first.',
  },
  last_sign_in_method: {
    status: 409,
    title: 'Last way in',
    detail: 'Without this identity the user could not sign in any more. Link another one or set a password first.',
  },
  last_owner: { status: 409, title: 'Last owner', detail: 'An account keeps at least one owner. Make someone else the owner first.' },
  workflow_name_taken: { status: 409, title: 'Name in use', detail: 'Another workflow of the account has this name.' },
  workflow_not_published: {
    status: 409,
    title: 'Not published',
    detail: 'The workflow has no published version to run. Publish it first.',
  },
  workflow_deleted: { status: 409, title: 'Workflow deleted', detail: 'The workflow was deleted and cannot be started.' },
  workflow_disabled: { status: 409, title: 'Workflow disabled', detail: 'The workflow is disabled. Enable it to run it.' },
  execution_unfinished: {
    status: 409,
    title: 'Execution not finished',
    detail: 'The execution is still running. Poll it by its id.',
  },
  dead_letter_replayed: {
    status: 409,
    title: 'Already replayed',
    detail: 'The dead letter was replayed already, or its execution was retried. A dead letter is replayed once.',
  },
  execution_ended: { status: 409, title: 'Execution ended', detail: 'The execution has ended and cannot be changed.' },
  execution_suspended: { status: 409, title: 'Execution suspended', detail: 'The execution is already suspended.' },
  execution_not_suspended: {
    status: 409,
    title: 'Execution not suspended',
    detail: 'The execution is not suspended; there is nothing to resume.',
  },
  execution_not_ended: {
    status: 409,
    title: 'Execution not ended',
    detail: 'Only an execution that has faulted or was cancelled can be retried.',
  },
  execution_completed: { status: 409, title: 'Execution completed', detail: 'The execution has completed; there is nothing to retry.' },
  execution_retried: {
    status: 409,
    title: 'Execution already retried',
    detail: 'The execution was retried already; see `retriedBy`. Retry that one if it has failed too.',
  },
  approval_answered: { status: 409, title: 'Already answered', detail: 'You have already answered this approval. An answer is final.' },
  approval_decided: { status: 409, title: 'Already decided', detail: 'The approval was decided before this answer arrived.' },
  approval_closed: {
    status: 409,
    title: 'Approval closed',
    detail: 'The task that asked for this approval was cancelled, timed out, or lost to another branch.',
  },
  trigger_not_listening: {
    status: 409,
    title: 'Not listening',
    detail: 'The test URL of a webhook takes requests only while it listens. Start with `POST /api/v1/triggers/{id}/test`.',
  },
  delivery_ignored: {
    status: 409,
    title: 'Delivery ignored',
    detail: 'The filter of the trigger gives false for this delivery, so nothing was started.',
  },
  trigger_disabled: { status: 409, title: 'Trigger disabled', detail: 'The trigger is disabled. Enable it first.' },
  subscription_state: {
    status: 409,
    title: 'Subscription state',
    detail: 'The state of the subscription does not allow this.',
  },
  payment_method_required: {
    status: 409,
    title: 'Payment method required',
    detail: 'The account has no payment method on file. Pay by a checkout first.',
  },
  payment_in_progress: {
    status: 409,
    title: 'Payment in progress',
    detail: 'Another payment of the account is in progress. Wait for its end.',
  },
  payment_failed: { status: 409, title: 'Payment failed', detail: 'The payment provider refused the payment. Nothing has changed.' },
  execution_cancelled: { status: 409, title: 'Execution cancelled', detail: 'The execution was cancelled and has no output.' },
  // 413, 415, 431: too large, or of another type.
  payload_too_large: { status: 413, title: 'Body too large', detail: 'The body is larger than this operation takes.' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type', detail: 'This operation does not take bodies of this type.' },
  headers_too_large: { status: 431, title: 'Headers too large', detail: 'The header fields of the request are too large.' },
  // 422: well-formed, with a meaning that is not acceptable.
  workflow_invalid: { status: 422, title: 'Workflow does not validate', detail: 'The definition has errors; see `diagnostics`.' },
  input_invalid: {
    status: 422,
    title: 'Input does not validate',
    detail: "The input does not match the workflow's input schema; see `errors`.",
  },
  schedule_invalid: { status: 422, title: 'Schedule not usable', detail: 'The schedule cannot be used; see `errors`.' },
  chain_invalid: { status: 422, title: 'Chain not usable', detail: 'A member of the chain cannot be used; see `errors`.' },
  mapping_invalid: {
    status: 422,
    title: 'Mapping not valid',
    detail: 'The mapping is not a jq expression that can be used; see `errors`.',
  },
  form_invalid: {
    status: 422,
    title: 'Form not possible',
    detail: 'The input of the workflow cannot be filled in by a form; see `errors`.',
  },
  mapping_failed: { status: 422, title: 'Mapping failed', detail: 'The mapping failed for this input.' },
  filter_invalid: {
    status: 422,
    title: 'Filter not valid',
    detail: 'The filter is not a jq expression that can be used; see `errors`.',
  },
  filter_failed: { status: 422, title: 'Filter failed', detail: 'The filter of the trigger failed for this request.' },
  import_invalid: { status: 422, title: 'Import refused', detail: 'The exported document is damaged or has an unknown format.' },
  parameters_invalid: {
    status: 422,
    title: 'Parameters missing',
    detail: 'Parameters are missing or do not fit; see `errors`.',
  },
  publication_refused: {
    status: 422,
    title: 'Publication refused',
    detail: 'The workflow contains what must not be public; see `errors`.',
  },
  connector_invalid: { status: 422, title: 'Connector refused', detail: 'The proposed connector has errors; see `errors`.' },
  answer_invalid: {
    status: 422,
    title: 'Invalid answer',
    detail: 'The answer is incomplete or does not match the form; see `errors`.',
  },
  capture_empty: {
    status: 422,
    title: 'Nothing captured',
    detail: 'The session has no steps from which a workflow can be made.',
  },
  personal_data_blocked: {
    status: 422,
    title: 'Personal data refused',
    detail: 'The privacy policy refuses personal data; see `errors`.',
  },
  execution_faulted: { status: 422, title: 'Execution faulted', detail: 'The execution ended with an error; see `error`.' },
  plan_invalid: {
    status: 422,
    title: 'Plan not available',
    detail: 'There is no such plan, or it has no price in this currency and interval.',
  },
  referral_refused: { status: 422, title: 'Referral refused', detail: 'This referral is not allowed.' },
  sign_in_provider_invalid: {
    status: 422,
    title: 'Provider not acceptable',
    detail: 'The sign-in provider cannot be used as given; see `errors`.',
  },
  domain_unverified: {
    status: 422,
    title: 'Domain not verified',
    detail: 'The DNS record was not found. Publish it, wait until it is visible, and repeat the request.',
  },
  password_unacceptable: { status: 422, title: 'Password not acceptable', detail: 'Choose a longer or less common password.' },
  model_output_invalid: {
    status: 422,
    title: 'Model gave no usable result',
    detail: 'The model returned nothing that can be used. Rephrase the request, or configure a stronger model.',
  },
  agent_invalid: { status: 422, title: 'Agent run not usable', detail: 'A tool or a limit of the run cannot be used; see `errors`.' },
  einvoice_invalid: {
    status: 422,
    title: 'Invoice does not validate',
    detail: 'The invoice violates rules of EN 16931 or of its profile; see `errors` and `findings`.',
  },
  // 429: over a limit.
  rate_limited: { status: 429, title: 'Too many requests', detail: 'Over the rate limit. Repeat after `Retry-After` seconds.' },
  too_many_streams: {
    status: 429,
    title: 'Too many streams',
    detail: 'The account has reached its limit of open streams. Close one first.',
  },
  quota_exceeded: { status: 429, title: 'Quota exceeded', detail: "Over the quota of the account's plan." },
  // 500 and 503: failures of the server.
  internal: { status: 500, title: 'Internal error', detail: 'The server failed. Quote the request id when you report it.' },
  database_unavailable: { status: 503, title: 'Database not reachable', detail: 'The database does not answer. Try again later.' },
  mail_unavailable: {
    status: 503,
    title: 'Mail not configured',
    detail: 'This installation sends no mail. Ask its operator to configure a mail server.',
  },
  sms_unavailable: {
    status: 503,
    title: 'Text messages not available',
    detail: 'This installation sends no text messages. Ask its operator to configure a provider.',
  },
  passkeys_unavailable: {
    status: 503,
    title: 'Passkeys not available',
    detail: 'Passkeys need a host name. Ask the operator to set MILLRACE_PUBLIC_URL to the address of this installation.',
  },
  provider_not_configured: {
    status: 503,
    title: 'Provider not configured',
    detail: 'The payment provider is not configured in this installation.',
  },
  provider_unavailable: { status: 503, title: 'Provider not reachable', detail: 'The payment provider does not answer. Try again later.' },
  sign_in_provider_unavailable: {
    status: 503,
    title: 'Sign-in provider not available',
    detail: 'The sign-in provider is not configured or does not respond. Try again later.',
  },
  model_not_configured: {
    status: 503,
    title: 'No model configured',
    detail:
      'There is no model for this. An administrator of the account adds one with POST /api/v1/models, or the operator sets MILLRACE_MODEL_URL and MILLRACE_MODEL_NAME, or MILLRACE_MODELS_FILE.',
  },
  model_unavailable: { status: 503, title: 'Model not available', detail: 'No configured model responds. Try again later.' },
  git_failed: {
    status: 422,
    title: 'Repository not usable',
    detail: 'Git could not read or write the repository.',
  },
  ffmpeg_missing: {
    status: 503,
    title: 'ffmpeg not installed',
    detail:
      'The server has no ffmpeg, which reads videos and cuts audio. Ask its operator to install it; or send `frames` of a video, and ask for JSON in place of a stream.',
  },
  overloaded: { status: 503, title: 'Overloaded', detail: 'The server has no capacity for this request now. Try again later.' },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorCatalogue

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalogue, text)
}

export const errorCodes: readonly ErrorCode[] = Object.keys(errorCatalogue).filter(isErrorCode)
