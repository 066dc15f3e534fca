/** The script of the page that verifies a pack. It is text, since a browser runs it without a build; the test runs it in one. */
export const verifyScript = String.raw`
const { receipts, missing, keys } = JSON.parse(document.getElementById('data').textContent)
const utf8 = (text) => new TextEncoder().encode(text)
const base64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('')
const bytesOfHex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16))
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]))
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
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
  const commitment = erased ?? hex(await sha256(utf8(canonical({ salt, ip, details }))))
  let node = await sha256(join([0], utf8(canonical({ ...open, index, commitment, version: 1 }))))
  let position = index
  let last = size - 1
  for (const text of path) {
    if (last === 0) return false
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
  const split = checkpoint.indexOf('\n\n')
  const text = checkpoint.slice(0, split + 1)
  const [, stated, root] = text.split('\n')
  if (last !== 0 || Number(stated) !== size || !same(node, base64(root))) return false
  const signature = base64(checkpoint.slice(split + 2).trim().split(' ')[2]).slice(4)
  for (const key of keys.filter((one) => one.purpose === 'checkpoint')) {
    const imported = await crypto.subtle.importKey('spki', base64(key.publicKey), { name: 'Ed25519' }, false, ['verify'])
    if (await crypto.subtle.verify({ name: 'Ed25519' }, imported, signature, utf8(text))) return true
  }
  return false
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
    if (!signed || !logged) wrong += 1
    const row = document.getElementById('rows').insertRow()
    cell(row, execution.id)
    cell(row, signed ? 'valid' : 'NOT VALID', signed)
    cell(row, logged ? 'in the log of ' + audit.date : audit === null ? 'no proof' : 'NOT VALID', logged)
  }
  for (const id of missing) {
    const row = document.getElementById('rows').insertRow()
    cell(row, id)
    cell(row, 'no receipt: not ended, or deleted by retention', false)
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

document.getElementById('folder').addEventListener('change', (event) => verifyFiles(event.target.files))
verifyReceipts()
`
