import { httpConnectionKinds } from '@millrace/contract'
import { standardError } from '@millrace/engine'
import { authorisedPort, type ConnectionAccess } from '#modules/connections/index.ts'

/** The header that a connection adds to requests of a repository. Throws WorkflowError or NetError if it cannot be used for it. */
export async function gitHeaders(
  access: Pick<ConnectionAccess, 'open'>,
  accountId: string,
  { url, connection: name }: { readonly url: string; readonly connection: string | undefined },
): Promise<readonly string[]> {
  if (name === undefined) return []
  const connection = await access.open(accountId, { name })
  if (!httpConnectionKinds.some((kind) => kind === connection.settings.kind))
    throw standardError('configuration', `The connection "${name}" is not for HTTP. Use one of the kind basic, bearer or oauth2.`)
  let headers: readonly string[] = []
  // The port adds the credentials and refuses other addresses than those of the connection; nothing is sent.
  const port = authorisedPort(
    {
      request: (request) => {
        if (request.url !== url)
          throw standardError('configuration', `The connection "${name}" puts its key into the address, which Git cannot use.`)
        headers = Object.entries(request.headers).map(([header, value]) => `${header}: ${value}`)
        return Promise.resolve({ status: 204, headers: {}, body: new Uint8Array(), url: request.url })
      },
    },
    connection,
  )
  await port.request(
    { method: 'GET', url, headers: {}, followRedirects: false, timeoutMs: 1, maxResponseBytes: 1 },
    new AbortController().signal,
  )
  if (headers.some((header) => /[\r\n\0]/.test(header)))
    throw standardError('configuration', `The credentials of the connection "${name}" have a line break.`)
  return headers
}
