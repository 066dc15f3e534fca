/** The script of the page that verifies a pack. It is text, since a browser runs it without a build; the test runs it in one. */
export const verifyScript = String.raw`
const { receipts, erased, missing, keys, days } = JSON.parse(document.getElementById('data').textContent)
const utf8 = (text) => new TextEncoder().encode(text)
const base64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes))
const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('')
const bytesOfHex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16))
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]))
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
const hashLeaf = (bytes) => sha256(join([0], bytes))
const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i])

// RFC 8785: members in the order of their UTF-16 code units, no white space.
function canonical(value) {
  if (Array.isArray(value)) return '[' + value.map(canonical).join(',') + ']'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return '{' + Object.keys(value).sort().map((key) => JSON.stringify(key) + ':' + canonical(value[key])).join(',') + '}'
}

// The two numbers of an ECDSA signature, from DER to 32 bytes each.
function rawSignature(der) {
  const numbers = []
  for (let at = 2; at < der.length; at += 2 + der[at + 1]) {
    const number = der.slice(at + 2, at + 2 + der[at + 1])
    const trimmed = number.length > 32 ? number.slice(-32) : number
    numbers.push(join(new Uint8Array(32 - trimmed.length), trimmed))
  }
  return join(...numbers)
}

async function isSigned(envelope) {
  const payload = base64(envelope.payload)
  const message = join(utf8('DSSEv1 ' + utf8(envelope.payloadType).length + ' ' + envelope.payloadType + ' ' + payload.length + ' '), payload)
  for (const { keyid, sig } of envelope.signatures) {
    const key = keys.find((one) => one.purpose === 'receipt' && one.keyId === keyid)
    if (!key || hex(await sha256(base64(key.publicKey))) !== key.keyId) continue
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const imported = await crypto.subtle.importKey('spki', base64(key.publicKey), algorithm, false, ['verify'])
    if (await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, imported, rawSignature(base64(sig)), message)) return true
  }
  return false
}

async function isLogged(audit, execution) {
  const { entry, index, size, path, checkpoint } = audit
  if (entry.target !== execution || entry.event !== 'execution.ended') return false
  const { salt, ip, details, commitment: erased, ...open } = entry
  // A commitment stands for what is erased, and never beside other content.
  const isErased = erased !== undefined && ip === null && salt === '' && canonical(details) === '{}'
  const commitment = isErased ? erased : hex(await sha256(utf8(canonical({ salt, ip, details }))))
  const leaf = await hashLeaf(utf8(canonical({ ...open, index, commitment, version: 1 })))
  const computed = await rootByPath(leaf, index, size, path)
  const text = await signedText(checkpoint)
  if (computed === undefined || text === undefined) return false
  const [, stated, root] = text.split('\n')
  return Number(stated) === size && same(computed, base64(root))
}

// Members of a receipt that the event of the end of its execution has otherwise.
function differences({ execution, definition, input, output }, { details }) {
  const stated = {
    state: execution.state, trigger: execution.trigger, startedAt: execution.startedAt ?? execution.createdAt, endedAt: execution.endedAt,
    workflow: definition.workflow, version: definition.version, inputDigest: input.digest, outputDigest: output === null ? null : output.digest,
  }
  return Object.keys(stated).filter((member) => details[member] !== undefined && details[member] !== stated[member]).map((member) => member.replace('Digest', ''))
}

// RFC 9162, section 2.1.3.2; undefined for a path that does not fit.
async function rootByPath(leaf, index, size, path) {
  let node = leaf
  let position = index
  let last = size - 1
  if (index > last) return undefined
  for (const text of path) {
    if (last === 0) return undefined
    const sibling = bytesOfHex(text)
    if (position % 2 === 1 || position === last) {
      node = await sha256(join([1], sibling, node))
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2)
        last = Math.floor(last / 2)
      }
    } else node = await sha256(join([1], node, sibling))
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? node : undefined
}

// The text of a checkpoint that is signed by a key of the pack.
async function signedText(note) {
  const split = note.indexOf('\n\n')
  const text = note.slice(0, split + 1)
  const signature = base64(note.slice(split + 2).trim().split(' ')[2]).slice(4)
  for (const key of keys.filter((one) => one.purpose === 'checkpoint')) {
    const imported = await crypto.subtle.importKey('spki', base64(key.publicKey), { name: 'Ed25519' }, false, ['verify'])
    if (await crypto.subtle.verify({ name: 'Ed25519' }, imported, signature, utf8(text))) return text
  }
  return undefined
}

// That the checkpoint of a day is in the anchor log, whose text it returns.
async function anchoredText({ anchor, checkpoints }) {
  const checkpoint = checkpoints.find(({ size }) => size === anchor.size)
  const text = await signedText(anchor.note)
  if (!checkpoint || text === undefined || !text.split('\n')[0].endsWith('/audit/anchors')) return undefined
  if ((await signedText(checkpoint.note)) === undefined) return undefined
  const batch = await rootByPath(await hashLeaf(utf8(checkpoint.note)), anchor.place, anchor.batchSize, anchor.batchPath)
  if (batch === undefined) return undefined
  const leaf = await hashLeaf(utf8('millrace-anchor/1\n' + anchor.batchSize + '\n' + toBase64(batch) + '\n'))
  const [, size, root] = text.split('\n')
  const computed = await rootByPath(leaf, anchor.index, Number(size), anchor.path)
  return computed !== undefined && same(computed, base64(root)) ? text : undefined
}

// A witness key is name+id+base64 of the type 4 and the public key (C2SP tlog-cosignature).
async function cosignedAt(line, key, text) {
  const bytes = base64(line.trim().split(' ')[2])
  const [name, id, data] = [key.split('+')[0], key.split('+')[1], base64(key.split('+').slice(2).join('+'))]
  const computed = (await sha256(join(utf8(name + '\n'), data))).slice(0, 4)
  if (data[0] !== 4 || hex(computed) !== id || !same(bytes.slice(0, 4), computed)) return undefined
  const seconds = Number(new DataView(bytes.buffer).getBigUint64(4))
  const imported = await crypto.subtle.importKey('raw', data.slice(1), { name: 'Ed25519' }, false, ['verify'])
  const message = utf8('cosignature/v1\ntime ' + seconds + '\n' + text)
  const isRight = await crypto.subtle.verify({ name: 'Ed25519' }, imported, bytes.slice(12), message)
  return isRight ? new Date(seconds * 1000).toISOString() : undefined
}

// The parts of a value of DER.
function partsOf(bytes) {
  const parts = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]
    let [size, from] = [bytes[at + 1], at + 2]
    if (size > 128) {
      const digits = size - 128
      size = bytes.slice(from, from + digits).reduce((total, byte) => total * 256 + byte, 0)
      from += digits
    }
    parts.push({ tag, bytes: bytes.slice(from, from + size) })
    at = from + size
  }
  return parts
}

// The time of a stamp that is for a text: ContentInfo, SignedData, EncapsulatedContentInfo, TSTInfo of RFC 3161.
async function stampedAt(token, text) {
  const signed = partsOf(partsOf(partsOf(base64(token))[0].bytes)[1].bytes)[0]
  const content = partsOf(partsOf(partsOf(signed.bytes)[2].bytes)[1].bytes)[0]
  const octets = content.tag === 0x24 ? join(...partsOf(content.bytes).map((part) => part.bytes)) : content.bytes
  const [, , imprint, , time] = partsOf(partsOf(octets)[0].bytes)
  const [, digest] = partsOf(imprint.bytes)
  if (!same(digest.bytes, await sha256(utf8(text)))) return undefined
  return new TextDecoder().decode(time.bytes).replace(/^(....)(..)(..)(..)(..)(..).*$/, '$1-$2-$3T$4:$5:$6Z')
}

async function showDay(day, witnessKeys) {
  const row = document.getElementById('day-rows').insertRow()
  cell(row, day.date)
  if (!day.anchor) {
    cell(row, 'not anchored', witnessKeys.length === 0 ? undefined : false)
    cell(row, '')
    cell(row, '')
    return witnessKeys.length === 0
  }
  const text = await anchoredText(day).catch(() => undefined)
  cell(row, text === undefined ? 'NOT VALID' : 'in the anchor log', text !== undefined)
  const seen = []
  let isSeen = true
  for (const key of witnessKeys) {
    const name = key.split('+')[0]
    const line = day.anchor.cosignatures.find((one) => one.split(' ')[1] === name)
    const at = line === undefined || text === undefined ? undefined : await cosignedAt(line, key, text).catch(() => undefined)
    if (at === undefined) isSeen = false
    seen.push(name + ': ' + (at === undefined ? 'NOT VALID' : 'valid, ' + at))
  }
  const others = day.anchor.cosignatures.map((line) => line.split(' ')[1]).filter((name) => !witnessKeys.some((key) => key.startsWith(name + '+')))
  cell(row, [...seen, ...others.map((name) => name + ': no key given')].join('; ') || 'none', witnessKeys.length === 0 ? undefined : isSeen)
  const at = day.anchor.timeStamp === null ? null : await stampedAt(day.anchor.timeStamp, day.anchor.note).catch(() => undefined)
  if (at === null) cell(row, 'none')
  else cell(row, at === undefined ? 'NOT VALID' : 'for this log, states ' + at, at !== undefined)
  return text !== undefined && isSeen && at !== undefined
}

// In turn, since each run writes the whole table.
let verified = Promise.resolve()
function verifyDays() {
  verified = verified.catch(() => undefined).then(showDays)
}

async function showDays() {
  const witnessKeys = document.getElementById('witnesses').value.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  document.getElementById('day-rows').replaceChildren()
  let wrong = 0
  for (const day of days) if (!(await showDay(day, witnessKeys))) wrong += 1
  document.body.dataset.days = wrong === 0 ? 'verified' : 'failed'
}

function cell(row, text, ok) {
  const td = row.insertCell()
  td.textContent = text
  if (ok !== undefined) td.className = ok ? 'ok' : 'bad'
}

async function verifyReceipts() {
  for (const key of keys) {
    const item = document.createElement('li')
    item.textContent = key.purpose + ': ' + (key.verifierKey || key.keyId)
    document.getElementById('keys').append(item)
  }
  let wrong = 0
  for (const envelope of receipts) {
    const statement = JSON.parse(new TextDecoder().decode(base64(envelope.payload)))
    const { execution, audit } = statement.predicate
    const signed = await isSigned(envelope).catch(() => false)
    const logged = audit !== null && (await isLogged(audit, execution.id).catch(() => false))
    const others = audit === null ? [] : differences(statement.predicate, audit.entry)
    const isErased = others.length > 0 && erased.includes(execution.id)
    if (!signed || !logged || (others.length > 0 && !isErased)) wrong += 1
    const row = document.getElementById('rows').insertRow()
    cell(row, execution.id)
    cell(row, signed ? 'valid' : 'NOT VALID', signed)
    cell(row, logged ? 'in the log of ' + audit.date : audit === null ? 'no proof' : 'NOT VALID', logged)
    if (others.length === 0) cell(row, logged ? 'as the log has it' : '', logged ? true : undefined)
    else cell(row, (isErased ? 'data of a person was erased: ' : 'CHANGED since its end: ') + others.join(', '), isErased ? undefined : false)
  }
  for (const id of missing) {
    const row = document.getElementById('rows').insertRow()
    cell(row, id)
    cell(row, 'no receipt: not ended, or deleted by retention', false)
    cell(row, '')
    cell(row, '')
  }
  const summary = document.getElementById('summary')
  const verified = receipts.length === 0 ? 'This pack has no receipts, so it proves nothing.'
    : wrong === 0 ? receipts.length + ' receipts verified.' : wrong + ' of ' + receipts.length + ' receipts do not verify.'
  summary.textContent = verified + (missing.length === 0 ? '' : ' Executions without a receipt: ' + missing.length + '.')
  const isWhole = wrong === 0 && receipts.length > 0
  summary.className = isWhole && missing.length === 0 ? 'ok' : 'bad'
  document.body.dataset.result = isWhole ? 'verified' : 'failed'
}

async function verifyFiles(list) {
  const files = new Map([...list].map((file) => [file.webkitRelativePath.split('/').slice(1).join('/'), file]))
  const wrong = []
  const listed = new Set(['tagmanifest-sha256.txt'])
  for (const name of ['manifest-sha256.txt', 'tagmanifest-sha256.txt']) {
    const manifest = files.get(name)
    if (!manifest) { wrong.push(name + ' is missing'); continue }
    for (const line of (await manifest.text()).trim().split('\n')) {
      const [digest, path] = [line.slice(0, 64), line.slice(66)]
      listed.add(path)
      const file = files.get(path)
      if (!file) wrong.push(path + ' is missing')
      else if (hex(await sha256(new Uint8Array(await file.arrayBuffer()))) !== digest) wrong.push(path + ' was changed')
    }
  }
  for (const path of files.keys()) if (!listed.has(path)) wrong.push(path + ' is not in the manifest')
  const shown = new Set(receipts.map(canonical))
  for (const [path, file] of files) {
    if (!path.startsWith('data/receipts/')) continue
    const receipt = await file.text().then(JSON.parse).then(canonical, () => undefined)
    if (!shown.delete(receipt)) wrong.push(path + ' is not among the receipts of this page')
  }
  if (shown.size > 0) wrong.push(shown.size + ' receipts of this page are not among the files')
  const result = document.getElementById('files')
  result.textContent = wrong.length === 0 ? files.size + ' files match the manifest.' : wrong.join('; ')
  result.className = wrong.length === 0 ? 'ok' : 'bad'
}

document.getElementById('witnesses').addEventListener('change', verifyDays)
verifyDays()
document.getElementById('folder').addEventListener('change', (event) => verifyFiles(event.target.files))
verifyReceipts()
`
