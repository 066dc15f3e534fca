import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Chain } from '#src/pages/chains/member.ts'

/** Shows the member that the address asks for by `at`, the pointer of its task in the definition of the chain. */
export function useAskedMember(chain: Chain | undefined): void {
  const { at }: { at?: string } = useSearch({ strict: false })
  useEffect(() => {
    if (at === undefined || chain === undefined) return
    const names = new Set(chain.members.flatMap(({ name, parallel = [] }) => [name, ...parallel.map((one) => one.name)]))
    const asked = at.split('/').findLast((part) => names.has(part))
    const card = [...document.querySelectorAll<HTMLElement>('[data-member]')].find(({ dataset }) => dataset['member'] === asked)
    card?.scrollIntoView({ block: 'center' })
    card?.focus({ preventScroll: true })
    // Once for each address: what the form does later moves no focus.
  }, [at])
}
