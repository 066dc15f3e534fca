import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { GuardedAddress } from '#platform/net/guarded-address.ts'
import { NetError, netError } from '#platform/net/net-error.ts'
import type { AuditTarget } from './destination.ts'

type SyslogTarget = Extract<AuditTarget, { readonly kind: 'syslog' }>

export interface SyslogMessage {
  /** RFC 3339. */
  readonly at: string
  /** The event, as the id of the kind of message. */
  readonly event: string
  /** JSON text. */
  readonly text: string
}

/** Facility 13 (log audit), severity 5 (notice). Source: RFC 5424, section 6.2.1. */
const priority = 13 * 8 + 5
const timeoutMs = 15_000

/** A message with the number of its octets before it. Sources: RFC 5424, section 6; RFC 6587, section 3.4.1; RFC 5425, section 4.3. */
export function syslogFrame(host: string, { at, event, text }: SyslogMessage): string {
  const header = `<${priority}>1 ${at} ${printable(host, 255)} millrace - ${printable(event, 32)} [origin software="Millrace"]`
  // JSON in ASCII: other characters would need a byte order mark before the text, which parsers of JSON refuse.
  const message = `${header} ${text.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}`
  return `${message.length} ${message}`
}

/**
 * Sends frames over a connection of their own. Syslog has no acknowledgement: it is a success when the receiver closes the connection after it has
 * read to its end. Throws a NetError, or the reason of the signal.
 */
export async function sendSyslog(
  address: GuardedAddress,
  target: SyslogTarget,
  frames: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const socket = open(target, await address(target.host))
  // An error without a listener would end the process. The attempt fails by the events that it waits for.
  socket.on('error', () => undefined)
  let isClosedEarly = false
  socket.once('end', () => (isClosedEarly = !socket.writableFinished))
  try {
    await once(socket, target.tls ? 'secureConnect' : 'connect', { signal: limit })
    const closed = once(socket, 'close', { signal: limit })
    socket.resume().end(frames.join(''))
    await closed
    if (isClosedEarly || !socket.writableFinished)
      throw new NetError('reset', 'the receiver closed the connection before it had everything')
  } catch (error) {
    signal.throwIfAborted()
    if (limit.aborted) throw new NetError('timeout', 'the receiver did not take everything and close the connection in time')
    throw error instanceof Error ? netError(error) : error
  } finally {
    socket.destroy()
  }
}

/** Connects to the address that was checked, and not to the name. The certificate is that of the name. */
function open({ host, port, tls, ca }: SyslogTarget, address: string): Socket {
  if (!tls) return connect({ host: address, port })
  return connectTls({
    host: address,
    port,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
  })
}

/** Header fields consist of printable ASCII without spaces. */
function printable(text: string, max: number): string {
  return text.replaceAll(/[^!-~]/g, '_').slice(0, max) || '-'
}
