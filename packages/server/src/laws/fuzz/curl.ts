import type { FuzzRequest } from './requests.ts'

/** The request as a shell command. */
export function curlLine(url: string, { method, target, headers, body }: FuzzRequest, token: string | undefined): string {
  const all = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers }
  const options = Object.entries(all).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const sent = [
    'curl -i --path-as-is -X',
    method,
    ...options,
    ...(body === undefined ? [] : ['--data-binary @-']),
    quoted(`${url}${target}`),
  ].join(' ')
  return body === undefined ? sent : `printf ${quoted(escaped(body))} | ${sent}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** For printf: bytes outside printable ASCII as octal escapes. */
function escaped(bytes: Buffer): string {
  return [...bytes.subarray(0, bytesMax)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : byte === 0x25
          ? '%%'
          : byte === 0x5c
            ? '\\\\'
            : String.fromCodePoint(byte),
    )
    .join('')
}

const bytesMax = 20_000
