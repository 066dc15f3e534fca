import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createCertificate } from '#testing/net/certificate.ts'

/** Whether this machine has Debian's package python3-pysaml2. */
export const hasPysaml2 = existsSync('/usr/lib/python3/dist-packages/saml2/__init__.py')

export interface Asserted {
  readonly subject: string
  readonly attributes: Readonly<Record<string, string | readonly string[]>>
  readonly signResponse: boolean
}

/** A SAML provider of pysaml2, which shares no library with this product. It reads the metadata of this installation, and its requests. */
export async function startPysaml2Provider(serviceProvider: string, entityId = 'https://idp.example.org/pysaml2') {
  const script = fileURLToPath(new URL('pysaml2-provider.py', import.meta.url))
  // The Python of Debian, whatever other one is first in the path.
  const child = spawn('/usr/bin/python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

  async function ask(given: object, member: string): Promise<string> {
    child.stdin.write(`${JSON.stringify(given)}\n`)
    const { done, value } = await lines.next()
    if (done === true) throw new Error('pysaml2 has ended')
    return String(JSON.parse(value)[member])
  }

  const { key, cert } = createCertificate('idp.example.org', new Date('2100-01-01'), 'rsa')
  const metadata = await ask({ entityId, key, cert, serviceProvider }, 'metadata')
  return {
    metadata,
    /** The response to an authorization URL as XML. */
    respond: (authorizationUrl: string, asserted: Asserted) =>
      ask({ request: new URL(authorizationUrl).searchParams.get('SAMLRequest') ?? '', ...asserted }, 'response'),
    async [Symbol.asyncDispose]() {
      const { promise, resolve } = Promise.withResolvers<void>()
      child.once('exit', () => resolve())
      child.stdin.end()
      await promise
    },
  }
}
