import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  checkpointText,
  hashAnchor,
  hashAnchored,
  hashLeaf,
  proveInclusion,
  rootOfLeaves,
  signedNote,
  toHex,
} from '@millrace/contract/transparency'
import { expect, test } from 'vitest'
import { chromiumPath, launchChromium } from '#testing/chromium.ts'
import { verifyPage } from './verify-page.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const rawOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).subarray(-32)

const signer = generateKeyPairSync('ed25519')
const witness = generateKeyPairSync('ed25519')
const witnessName = 'witness.example.com/w1'
const witnessData = Buffer.concat([Buffer.from([4]), rawOf(witness.publicKey)])
const witnessId = sha256(Buffer.concat([Buffer.from(`${witnessName}\n`), witnessData])).subarray(0, 4)
const witnessKey = `${witnessName}+${witnessId.toString('hex')}+${witnessData.toString('base64')}`

function noteOf(origin: string, leaves: readonly Uint8Array[]) {
  const text = checkpointText({ origin, size: leaves.length, root: rootOfLeaves(sha256, leaves) })
  const key = { name: 'example.com', publicKey: rawOf(signer.publicKey) }
  return { text, note: signedNote(sha256, key, text, sign(null, Buffer.from(text), signer.privateKey)) }
}

/** A time stamp of `openssl ts`, without a certificate: the page looks at what it is for. */
function stampOf(folder: string, text: string): string {
  const openssl = (line: string, ...more: string[]) =>
    execFileSync('openssl', [...line.split(' '), ...more], { cwd: folder, stdio: 'pipe' })
  execFileSync('/bin/sh', ['-c', 'cat > note && printf 01 > serial'], { cwd: folder, input: text })
  execFileSync('/bin/sh', ['-c', 'cat > t.cnf'], {
    cwd: folder,
    input: `[req]\ndistinguished_name=d\n[d]\n[t]\nserial=${folder}/serial\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256\n[e]\nextendedKeyUsage=critical,timeStamping\n`,
  })
  openssl(
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config t.cnf -extensions e -keyout k.pem -out c.pem -days 2 -subj',
    '/CN=TSA',
  )
  openssl('ts -query -data note -sha256 -cert -out q')
  openssl('ts -reply -queryfile q -config t.cnf -section t -signer c.pem -inkey k.pem -token_out -out r')
  return execFileSync('base64', ['-w0', 'r'], { cwd: folder, encoding: 'utf8' })
}

/** A day of three leaves whose checkpoint is the second of a batch of three, which is the second anchor. */
function anchoredDay(folder: string) {
  const day = noteOf(
    'example.com/audit/acct_x/2026-11-23',
    ['a', 'b', 'c'].map((text) => hashLeaf(sha256, Buffer.from(text))),
  )
  const batch = ['other', day.note, 'third'].map((note) => hashAnchored(sha256, note))
  const anchors = [sha256(Buffer.from('first')), hashAnchor(sha256, 3, rootOfLeaves(sha256, batch))]
  const { text, note } = noteOf('example.com/audit/anchors', anchors)
  const seconds = 1_800_000_000
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(seconds))
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), witness.privateKey)
  return {
    date: '2026-11-23',
    checkpoints: [{ size: 3, note: day.note }],
    anchor: {
      size: 3,
      place: 1,
      batchSize: 3,
      batchPath: proveInclusion(sha256, batch, 1).map(toHex),
      index: 1,
      path: proveInclusion(sha256, anchors, 1).map(toHex),
      note,
      cosignatures: [`\u2014 ${witnessName} ${Buffer.concat([witnessId, time, signature]).toString('base64')}`],
      timeStamp: stampOf(folder, note),
    },
  }
}

test.skipIf(chromiumPath === undefined || !existsSync('/usr/bin/openssl'))(
  'the page of a pack verifies anchors, co-signatures of given witnesses, and what a time stamp is for',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-page-'))
    const browser = await launchChromium()
    try {
      const day = anchoredDay(folder)
      const publicKey = signer.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
      const keys = [{ purpose: 'checkpoint', keyId: 'k', publicKey }]
      const page = await (await browser.newContext({ offline: true })).newPage()
      const cellsOf = async (shown: object, witnesses = '') => {
        await writeFile(
          join(folder, 'verify.html'),
          verifyPage({ name: 'pack_x', receipts: [], erased: [], missing: [], keys, days: [shown] }),
        )
        await page.goto(pathToFileURL(join(folder, 'verify.html')).href)
        await page.waitForSelector('body[data-days]')
        if (witnesses !== '') {
          await page.evaluate('delete document.body.dataset.days')
          await page.fill('#witnesses', witnesses)
          await page.locator('#witnesses').blur()
          await page.waitForSelector('body[data-days]')
        }
        return [await page.getAttribute('body', 'data-days'), ...(await page.locator('#day-rows td').allTextContents())]
      }
      const stamp = expect.stringMatching(/^for this log, states 20\d\d-\d\d-\d\dT/)
      expect(await cellsOf(day)).toEqual(['verified', '2026-11-23', 'in the anchor log', `${witnessName}: no key given`, stamp])
      const seen = `${witnessName}: valid, 2027-01-15T08:00:00.000Z`
      expect(await cellsOf(day, witnessKey)).toEqual(['verified', '2026-11-23', 'in the anchor log', seen, stamp])
      const { anchor } = day
      const [line = ''] = anchor.cosignatures
      const forged = { ...anchor, cosignatures: [line.replace(/.{6}==$/, 'AAAAAA==')] }
      expect((await cellsOf({ ...day, anchor: forged }, witnessKey)).slice(0, 4)).toEqual([
        'failed',
        '2026-11-23',
        'in the anchor log',
        `${witnessName}: NOT VALID`,
      ])
      expect((await cellsOf({ ...day, anchor: { ...anchor, place: 0 } })).slice(0, 3)).toEqual(['failed', '2026-11-23', 'NOT VALID'])
      const other = stampOf(folder, 'another text')
      expect((await cellsOf({ ...day, anchor: { ...anchor, timeStamp: other } })).at(-1)).toBe('NOT VALID')
      expect(await cellsOf({ ...day, anchor: null })).toEqual(['verified', '2026-11-23', 'not anchored', '', ''])
      expect(await page.locator('#day-rows .bad').count()).toBe(0)
      expect(await cellsOf({ ...day, anchor: null }, witnessKey)).toEqual(['failed', '2026-11-23', 'not anchored', '', ''])
      expect(await page.locator('#day-rows .bad').allTextContents()).toEqual(['not anchored'])
      await page.evaluate(
        "for (let i = 0; i < 5; i += 1) document.getElementById('witnesses').dispatchEvent(new Event('change')); globalThis.finished = verified",
      )
      await page.evaluate('globalThis.finished')
      expect(await page.locator('#day-rows tr').count()).toBe(1)
    } finally {
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
