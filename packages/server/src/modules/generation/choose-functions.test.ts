import { expect, test } from 'vitest'
import { chooseFunctions, type Rank } from './choose-functions.ts'

const functionsOf = (connector: string, origin: string, count: number, summary = 'Does something.') =>
  Array.from({ length: count }, (_, index) => ({ name: `${connector}.f${index}`, summary, connector, origin }))

const namesOf = (functions: readonly { readonly name: string }[]) => functions.map(({ name }) => name)

/** No model compares meanings. */
const none: Rank = async () => undefined
/** As a model would do it that likes this word. */
const preferring =
  (word: string): Rank =>
  async (_query, texts) =>
    texts.map((text) => (text.includes(word) ? 0.9 : 0.1))

test('the functions of an account never displace those that the request names', async () => {
  const [own, slack] = [functionsOf('shop', 'account', 60), functionsOf('slack', 'installation', 3)]
  const chosen = await chooseFunctions([...own, ...slack], 'Read an order and post it to Slack.', none)
  expect(chosen).toEqual([...namesOf(slack), ...namesOf(own).slice(0, 37)])
})

test('a function of the account that the request names occurs once, and before the others', async () => {
  const [crm, shop] = [functionsOf('crm', 'account', 2), functionsOf('shop', 'account', 2)]
  expect(await chooseFunctions([...crm, ...shop], 'Count the orders of shop.', none)).toEqual([...namesOf(shop), ...namesOf(crm)])
})

test('without a model that compares meanings, a function that is neither named nor of the account is not chosen', async () => {
  const email = { name: 'email', summary: 'Sends an email.', connector: null, origin: 'installation' }
  expect(await chooseFunctions([email, ...functionsOf('github', 'installation', 2)], 'Send an email.', none)).toEqual([])
})

test('of too many functions of the account, those stay that share words with the request', async () => {
  const [many, late] = [functionsOf('aaa', 'account', 60), functionsOf('zzz', 'account', 1, 'Weighs a parcel.')]
  expect((await chooseFunctions([...many, ...late], 'Weighs each parcel', none))[0]).toBe('zzz.f0')
})

test('by their meaning, functions of the installation are suggested in bounds, and those of the account are ordered', async () => {
  const [many, chat] = [functionsOf('crm', 'account', 60), functionsOf('chat', 'installation', 20)]
  const liked = functionsOf('zoo', 'account', 1, 'Feeds the animals of a chat.')
  const chosen = await chooseFunctions([...many, ...liked, ...chat], 'Notify my colleagues.', preferring('chat'))
  expect(chosen).toHaveLength(40)
  expect(chosen[0]).toBe('zoo.f0')
  expect(chosen.filter((name) => name.startsWith('chat.'))).toEqual(namesOf(chat).slice(0, 12))
})

test('at most 500 functions are compared, those of the account first', async () => {
  let compared: readonly string[] = []
  const counting: Rank = async (_query, texts) => {
    compared = texts
    return texts.map(() => 0)
  }
  await chooseFunctions([...functionsOf('many', 'installation', 900), ...functionsOf('own', 'account', 2)], 'Do it.', counting)
  expect(compared).toHaveLength(500)
  expect(compared.slice(0, 3)).toEqual(['own f0: Does something.', 'own f1: Does something.', 'many f0: Does something.'])
})
