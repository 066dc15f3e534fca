import type { TestServer } from '#testing/server.ts'
import type { Answer } from '#testing/server.ts'

/** A browser without a user: it keeps cookies and sends no credential. */
export function createVisitor(server: Pick<TestServer, 'url'>) {
  const cookies = new Map<string, string>()

  async function send(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  return {
    cookies,
    get: (path: string, headers?: Readonly<Record<string, string>>) => send('GET', path, undefined, headers),
    post: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => send('POST', path, body, headers),
  }
}
