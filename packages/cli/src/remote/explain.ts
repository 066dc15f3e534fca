import { ClientError } from '@millrace/client'
import { Failure, messageOf } from '#command/failure.ts'

/** Does work with a server; its refusals become failures that say what to do. */
export async function explaining<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ClientError) throw refusal(url, error)
    // What fetch throws where no response arrives.
    if (error instanceof TypeError) throw unreachable(url, error)
    throw error
  }
}

function unreachable(url: string, error: TypeError): Failure {
  const reason = error.cause === undefined ? error.message : messageOf(error.cause)
  return new Failure(`${url} does not answer: ${reason === '' ? 'connection refused' : reason}.`, {
    hint: 'Start it with "millrace start", or name another server with --url or MILLRACE_URL.',
    cause: error,
  })
}

function refusal(url: string, error: ClientError): Failure {
  const { problem, code, status } = error
  if (code === undefined) {
    return new Failure(`${url} answers with status ${status}, but is no Millrace server.`, {
      hint: 'Check the address: --url, MILLRACE_URL, or "millrace login". A proxy may answer in its place.',
      cause: error,
    })
  }
  const places = (problem.errors ?? []).map(({ pointer, detail }) => `\n  ${pointer ?? ''}: ${detail}`)
  const hint = hintOf(url, code, status)
  return new Failure(`${problem.detail}${places.join('')} (${problem.code}, request ${problem.requestId})`, {
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  })
}

function hintOf(url: string, code: ClientError['code'], status: number): string | undefined {
  if (status === 401) return `Run "millrace login ${url}" again, or check MILLRACE_API_KEY.`
  if (code === 'insufficient_scope') return 'Use a key with this scope, or run "millrace login" again.'
  if (code === 'revision_mismatch') return 'It was changed while the command ran. Look at the change, then repeat the command.'
  return undefined
}
