import { createSocket } from 'node:dgram'

/** A DNS server on this machine that knows the given TXT records and nothing else. */
export async function startDnsStandIn() {
  const records = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => socket.send(responseTo(query, records), peer.port, peer.address))
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.bind(0, '127.0.0.1', resolve)
  await promise
  socket.unref()
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    [Symbol.asyncDispose]: async () => void socket.close(),
  }
}

/** RFC 1035, section 4.1. */
function responseTo(query: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const question = query.subarray(12, at + 5)
  const text = records.get(labels.join('.').toLowerCase())
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(text === undefined ? 0 : 1, 6)
  header.fill(0, 8)
  if (text === undefined) return Buffer.concat([header, question])
  const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
  const answer = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 0xff])
  return Buffer.concat([header, question, answer, data])
}
