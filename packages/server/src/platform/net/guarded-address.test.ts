import { expect, test } from 'vitest'
import { createGuardedAddress } from './guarded-address.ts'
import type { ResolvedAddress } from './guarded-lookup.ts'

const names: Readonly<Record<string, readonly ResolvedAddress[]>> = {
  'db.example': [{ address: '93.184.216.34', family: 4 }],
  'inside.example': [{ address: '10.0.0.5', family: 4 }],
  'both.example': [
    { address: '10.0.0.5', family: 4 },
    { address: '93.184.216.35', family: 4 },
  ],
}
const resolver = async (name: string) => names[name] ?? []
const address = createGuardedAddress({ allow: ['192.168.7.0/24'], resolver })

test('a name leads to an address that workflows may reach', async () => {
  expect(await address('db.example')).toBe('93.184.216.34')
  expect(await address('both.example')).toBe('93.184.216.35')
  expect(await address('192.168.7.9')).toBe('192.168.7.9')
})

test.each(['inside.example', 'unknown.example'])('%s is refused like a name that does not exist', async (name) => {
  await expect(address(name)).rejects.toMatchObject({ reason: 'dns', message: expect.not.stringContaining('10.0.0.5') })
})

test.each(['127.0.0.1', '169.254.169.254', '::1', '192.168.8.1'])('the address %s is refused', async (literal) => {
  await expect(address(literal)).rejects.toMatchObject({ reason: 'denied' })
})
