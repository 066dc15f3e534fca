import { expect, test } from 'vitest'
import { acceptOf, entryOf, headOf, openParts, testAccount, testDatabase } from '#testing/postgres-parts.ts'

test('labels are written with the acceptance of an execution and of a child, in their order, those without a value with the reason', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const order = { name: 'order', value: '4711' }
  const parent = headOf({ labels: [order, { name: 'vip', problem: 'It gives a list.' }] })
  const child = headOf({ parentId: parent.id, labels: [order] })
  await journal.write(acceptOf(parent, true, { children: [{ head: child, startedAtMs: undefined }] }))
  await journal.write(acceptOf(headOf(), false))
  const { rows } = await db.pool.query(
    `select execution_id as id, account_id, number, name, value, problem from execution_labels order by execution_id, number`,
  )
  const row = { account_id: testAccount, number: 0, ...order, problem: null }
  expect(rows).toEqual([
    { ...row, id: parent.id },
    { ...row, id: parent.id, number: 1, name: 'vip', value: null, problem: 'It gives a list.' },
    { ...row, id: child.id },
  ])
})

test('an execution whose idempotency key is in use leaves no labels, and does not affect its batch', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1 })
  const idempotency = { key: 'k', digest: 'd' }
  const labels = [{ name: 'order', value: '4711' }]
  const heads = [headOf({ idempotency, labels }), headOf({ idempotency, labels }), headOf({ labels })]
  const written = await Promise.all(heads.map((head) => journal.write(acceptOf(head, true, { entries: [entryOf(0)] }))))
  expect(written).toEqual([{ refused: false }, { refused: true }, { refused: false }])
  const { rows } = await db.pool.query(`select execution_id as id from execution_labels order by execution_id`)
  expect(rows.map(({ id }) => id)).toEqual([heads[0]?.id, heads[2]?.id])
})
