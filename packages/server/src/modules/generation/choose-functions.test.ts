import { expect, test } from 'vitest'
import { chooseFunctions } from './choose-functions.ts'

const functionsOf = (connector: string, origin: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${connector}.f${index}`, connector, origin }))

const namesOf = (functions: readonly { readonly name: string }[]) => functions.map(({ name }) => name)

test('the functions of an account never displace those that the request names', () => {
  const [own, slack] = [functionsOf('shop', 'account', 60), functionsOf('slack', 'installation', 3)]
  const chosen = chooseFunctions([...own, ...slack], 'Read an order and post it to Slack.')
  expect(chosen).toEqual([...namesOf(slack), ...namesOf(own).slice(0, 37)])
})

test('a function of the account that the request names occurs once, and before the others', () => {
  const [crm, shop] = [functionsOf('crm', 'account', 2), functionsOf('shop', 'account', 2)]
  expect(chooseFunctions([...crm, ...shop], 'Count the orders of shop.')).toEqual([...namesOf(shop), ...namesOf(crm)])
})

test('a function that is neither named nor of the account is not chosen', () => {
  const email = { name: 'email', connector: null, origin: 'installation' }
  expect(chooseFunctions([email, ...functionsOf('github', 'installation', 2)], 'Send an email.')).toEqual([])
})
