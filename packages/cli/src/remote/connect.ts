import { type Client, createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { readClientEnvironment } from '@millrace/server/client-environment'
import { Failure, usageFailure } from '#command/failure.ts'
import { loginsFile, readLogins } from './credentials.ts'

type Groups = typeof groups

/** A server with the credential for it. */
export interface Connection {
  readonly url: string
  readonly client: Client<Groups>
}

export const urlDefault = 'http://127.0.0.1:3000'

/** The server that the options, the environment or the last login name, with the key of the environment or of a login. */
export async function connect(url: string | undefined, env = readClientEnvironment()): Promise<Connection> {
  const given = url ?? env.url
  if (env.apiKey !== undefined) return connectionTo(originOf(given ?? urlDefault), env.apiKey)
  const logins = await readLogins(loginsFile(env))
  const target = originOf(given ?? logins.current ?? urlDefault)
  const login = logins.servers[target]
  if (login !== undefined) return connectionTo(target, login.key)
  throw new Failure(`You are not signed in to ${target}.`, { hint: `Run "millrace login ${target}", or set MILLRACE_API_KEY.` })
}

/** The address of a server without a trailing slash; a usage failure for any other text. */
export function originOf(text: string): string {
  const url = URL.parse(text)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href.replace(/\/+$/, '')
  throw usageFailure(`"${text}" is not the address of a server.`, 'Write for example https://millrace.example.com.')
}

function connectionTo(url: string, token: string): Connection {
  return { url, client: createClient({ baseUrl: url, token, groups, retries: 2, checkReplies: true }) }
}
