import { expect, test } from 'vitest'
import { planInTurns } from './plan-in-turns.ts'

interface Due {
  readonly id: string
  readonly accountId: string
}

const due = (accountId: string, count: number) => Array.from({ length: count }, (_, index) => ({ id: `${accountId}${index}`, accountId }))

/** Plans with a clock that each schedule of an account moves on by so much. @returns a function that makes one claim, and returns what it planned. */
function claims(msOf: Readonly<Record<string, number>>, all: readonly Due[]) {
  const costlyAccounts = new Set<string>()
  let clock = 0
  return async () => {
    const planned: string[] = []
    const plan = ({ id, accountId }: Due) => {
      planned.push(id)
      clock += msOf[accountId] ?? 0
      return undefined
    }
    await planInTurns(all, plan, costlyAccounts, () => clock)
    return { planned, costly: [...costlyAccounts] }
  }
}

test('an account whose rules take long delays no other one, and comes last in the next claim', async () => {
  const claim = claims({ slow: 30, quick: 0.01 }, [...due('slow', 20), ...due('quick', 3)])
  expect(await claim()).toEqual({ planned: ['slow0', 'slow1', 'quick0', 'quick1', 'quick2'], costly: ['slow'] })
  expect(await claim()).toEqual({ planned: ['quick0', 'quick1', 'quick2', 'slow0', 'slow1'], costly: ['slow'] })
})

test('many quick schedules of one account are planned together, and a claim ends when its time has passed', async () => {
  expect((await claims({ quick: 0.1 }, due('quick', 2_000))()).planned).toHaveLength(2_000)
  const slow = Array.from({ length: 20 }, (_, index) => due(`slow${index}`, 1)).flat()
  const msOf = Object.fromEntries(slow.map(({ accountId }) => [accountId, 100]))
  expect((await claims(msOf, slow)()).planned).toHaveLength(3)
})
