import { expect, test, vi } from 'vitest'

const said = vi.hoisted(() => vi.fn<(text: string, state: string) => void>())
vi.mock('#src/ui/toast.tsx', () => ({ toast: said }))
vi.mock('#src/ui/problem.tsx', () => ({ wordsOf: (error: Error) => ({ detail: error.message }) }))

const { toastFailure } = await import('#src/ui/toast-failure.ts')

test('a refused act is said as a failure', () => {
  toastFailure(new TypeError('the network is away'))
  expect(said).toHaveBeenCalledWith('the network is away', 'faulted')
})
