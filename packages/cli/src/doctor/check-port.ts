import { messageOf, systemCodeOf } from '#command/failure.ts'
import { tryToListen } from '#command/try-to-listen.ts'
import { fail, type Finding, ok } from './check.ts'

const name = 'Port'
const answerTimeoutMs = 2_000

/** Whether the server could listen, or a Millrace does so already. */
export async function checkPort({ host, port }: { readonly host: string; readonly port: number }): Promise<Finding> {
  if (port === 0) return ok(name, `any free port on ${host}`)
  const error = await tryToListen(host, port)
  switch (error === undefined ? undefined : systemCodeOf(error)) {
    case undefined:
      return error === undefined ? ok(name, `${port} on ${host} is free.`) : fail(name, messageOf(error), 'Set HOST and PORT to others.')
    case 'EADDRINUSE':
      return (await isMillrace(host, port))
        ? ok(name, `${port} on ${host}: a Millrace runs there and is up.`)
        : fail(name, `${port} on ${host} is in use by another program.`, 'Stop that one, or set PORT to another port.')
    case 'EACCES':
      return fail(name, `${port} may not be used by this user.`, 'Set PORT to 1024 or more; put a proxy in front for 80 and 443.')
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return fail(name, `${host} is not an address of this machine.`, 'Set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.')
    default:
      return fail(name, `${port} on ${host} cannot be listened on: ${messageOf(error)}.`, 'Set HOST and PORT to others.')
  }
}

async function isMillrace(host: string, port: number): Promise<boolean> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  try {
    const response = await fetch(`http://${reachable}:${port}/api/v1/health`, { signal: AbortSignal.timeout(answerTimeoutMs) })
    const body: unknown = await response.json()
    return response.headers.has('x-request-id') && typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok'
  } catch {
    return false
  }
}
