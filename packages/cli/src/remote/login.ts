import { hostname } from 'node:os'
import { type Client, ClientError, createClient } from '@millrace/client'
import { groups, type Scope } from '@millrace/contract'
import { readClientEnvironment } from '@millrace/server/client-environment'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, usageFailure } from '#command/failure.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { ask, readSecret } from './ask.ts'
import { originOf, urlDefault } from './connect.ts'
import { loginsFile, readLogins, type StoredLogin, writeLogins } from './credentials.ts'
import { explaining } from './explain.ts'

export interface LoginRequest {
  readonly url: string | undefined
  readonly email: string | undefined
  readonly passwordFromInput: boolean
  readonly keyFromInput: boolean
  readonly forget: boolean
}

type ServerClient = Client<typeof groups>

/** What the commands for a running server need. */
const scopes: readonly Scope[] = [
  'account:read',
  'workflows:read',
  'workflows:write',
  'executions:read',
  'executions:run',
  'executions:control',
  'triggers:read',
  'triggers:write',
  'variables:read',
  'variables:write',
]
const keyDays = 90

/** Signs in and stores a key, or deletes the stored one. */
export async function login(request: LoginRequest, terminal: Terminal, env = readClientEnvironment()): Promise<ExitCode> {
  const file = loginsFile(env)
  const logins = await readLogins(file)
  const url = originOf(request.url ?? env.url ?? logins.current ?? urlDefault)
  const { [url]: known, ...others } = logins.servers
  if (request.forget) {
    if (known === undefined) throw new Failure(`There is no stored login for ${url}.`)
    const { current } = logins
    await writeLogins(file, { ...(current === undefined || current === url ? {} : { current }), servers: others })
    terminal.stderr.write(`Forgot the login for ${url}. Its key still works until it is revoked or ends.\n`)
    return exitCodes.ok
  }
  const { stored, token } = await explaining(url, () =>
    request.keyFromInput ? acceptKey(url, terminal) : issueKey(url, request, terminal),
  )
  await writeLogins(file, { current: url, servers: { ...others, [url]: stored } })
  terminal.stderr.write(`Signed in to ${url} as ${stored.email}.\n`)
  if (known?.keyId !== undefined && known.keyId !== stored.keyId) await revokeReplaced(url, token, known.keyId, terminal)
  return exitCodes.ok
}

/** Revokes the key of the login before. The new login is stored, so a failure is only reported. */
async function revokeReplaced(url: string, token: string | undefined, id: string, terminal: Terminal): Promise<void> {
  const revoked =
    token !== undefined &&
    (await clientOf(url, token)
      .apiKeys.revoke({ params: { id } })
      .then(
        () => true,
        // The key was revoked or has ended.
        (error: unknown) => error instanceof ClientError && error.problem.status === 404,
      ))
  if (!revoked)
    terminal.stderr.write(
      `The API key of your earlier login, ${id}, still works until it ends, because it could not be revoked. Revoke it on the page API keys.\n`,
    )
}

interface SignedIn {
  readonly stored: StoredLogin
  /** The access token of the session that issued the key. API keys cannot revoke keys. */
  readonly token?: string
}

async function acceptKey(url: string, terminal: Terminal): Promise<SignedIn> {
  const key = await readSecret(terminal, 'API key')
  const email = await clientOf(url, key)
    .auth.me()
    .then(
      (user) => user.email,
      (error: unknown) => {
        // Such a key is valid, and is not shown whose it is.
        if (error instanceof ClientError && error.problem.code === 'key_restricted') return 'the owner of a key for chosen workflows'
        throw error
      },
    )
  return { stored: { email, key } }
}

async function issueKey(url: string, { email: given, passwordFromInput }: LoginRequest, terminal: Terminal): Promise<SignedIn> {
  if (passwordFromInput && given === undefined) throw usageFailure('--password-stdin needs --email.')
  const email = given ?? (await ask(terminal, 'E-mail'))
  const password = await readSecret(terminal, 'Password')
  const token = await signIn(clientOf(url), { email, password }, url, terminal)
  const expiresAt = new Date(terminal.now() + keyDays * 86_400_000).toISOString()
  const { id, secret } = await clientOf(url, token).apiKeys.create({
    body: { name: `millrace login on ${hostname()}`, scopes: [...scopes], expiresAt },
  })
  return { stored: { email, key: secret, keyId: id }, token }
}

/** The access token of a new session. */
async function signIn(
  client: ServerClient,
  body: { readonly email: string; readonly password: string },
  url: string,
  terminal: Terminal,
): Promise<string> {
  const reply = await client.auth.login({ body })
  if (reply.status === 'signed_in') return reply.accessToken
  if (reply.status === 'mfa_enrollment_required')
    throw new Failure('Your account demands a second factor, and you have none yet.', { hint: `Sign in at ${url} and add one.` })
  const code = await ask(terminal, 'Code of the second factor')
  const finished = await clientOf(url, reply.challenge).auth.mfaVerify({ body: { code } })
  return finished.accessToken
}

function clientOf(url: string, token?: string): ServerClient {
  return createClient({ baseUrl: url, groups, checkReplies: true, ...(token === undefined ? {} : { token }) })
}
