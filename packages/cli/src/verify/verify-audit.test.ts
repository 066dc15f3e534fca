import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  checkpointText,
  commitmentOfState,
  type Hash,
  hashEntry,
  hashFirstLeaf,
  rootOfLeaves,
  signedNote,
  toHex,
  verifierKey,
} from '@millrace/contract/transparency'
import { expect, test } from 'vitest'
import { createFolder, runCli } from '#testing/cli.ts'

const sha256: Hash = (bytes) => createHash('sha256').update(bytes).digest()

function exportedDay() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = { name: 'example.com', publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32) }
  const [log, date] = ['acct_x', '2026-11-23']
  // A name may have an end of a line that JSON leaves as it is.
  const renamed = { salt: '0a0b', value: 'Blue River\u2028Delta' }
  const entries = ['workflow.created', 'workflow.published'].map((event, index) => ({
    id: `0199d1c8-0000-7000-8000-00000000000${index}`,
    account: '0199d1c8-0000-7000-8000-0000000000aa',
    at: `${date}T10:00:00.00000${index}Z`,
    actor: 'user:usr_x',
    event,
    target: 'wf_x',
    requestId: null,
    ip: '192.0.2.1',
    details: { changes: { name: { before: null, after: commitmentOfState(sha256, 'name', 'after', renamed) } } },
    salt: '00ff',
  }))
  const hashes = [hashFirstLeaf(sha256, log, date, null), ...entries.map((entry, index) => hashEntry(sha256, entry, index + 1))]
  const root = rootOfLeaves(sha256, hashes)
  const text = checkpointText({ origin: `example.com/audit/${log}/${date}`, size: 3, root })
  const note = signedNote(sha256, key, text, sign(null, Buffer.from(text), privateKey))
  const lines = hashes.map((hash, index) => ({
    leaf: {
      index,
      hash: toHex(hash),
      event: entries[index - 1]?.id ?? null,
      entry: entries[index - 1] ?? null,
      ...(index === 2 ? { revealed: { name: { after: renamed } } } : {}),
    },
  }))
  const checkpoints = [{ size: 3, note }]
  const day = {
    format: 'millrace-audit/1',
    log,
    date,
    previous: null,
    size: 3,
    root: toHex(root),
    signedSize: 3,
    signedCount: 1,
    checkpoints,
  }
  return { key: verifierKey(sha256, key), text: [...lines, { day }].map((line) => `${JSON.stringify(line)}\n`).join('') }
}

test('an exported day is verified with its file and the public key alone', async () => {
  const folder = await createFolder()
  const { key, text } = exportedDay()
  const file = join(folder.path, 'day.jsonl')
  const verify = (...more: string[]) => runCli(['verify', 'audit', file, ...more], { env: {} })
  await writeFile(file, text)
  expect(await verify('--key', key)).toMatchObject({
    exitCode: 0,
    stderr: '1 verified, none differs.\n',
    stdout: expect.stringContaining('3 leaves'),
  })
  expect(await verify('--key', exportedDay().key)).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('checkpoint_invalid') })
  expect(await verify()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--key') })
  await writeFile(file, text.replace('workflow.published', 'workflow.deleted'))
  expect(await verify('--key', key)).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/row_changed 2: /) })
  await writeFile(file, text.replace('Blue River', 'Red River'))
  expect(await verify('--key', key)).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/change_differs 2: .*name \(after\)/) })
  await writeFile(file, text.split('\n').slice(1).join('\n'))
  expect(await verify('--key', key)).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('leaf_missing 0') })
  await writeFile(file, 'no log\n')
  expect(await verify('--key', key)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('line 1') })
})
