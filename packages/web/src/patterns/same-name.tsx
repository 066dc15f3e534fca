import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'

interface SameNameProps {
  readonly name: string
  /** The workflow that has the name, or gets it. */
  readonly except?: string
}

const restMs = 400
const nameMax = 200

/** Says that another workflow has a name already, with a link to it. Two may have the same name. */
export function SameName({ name, except }: SameNameProps) {
  const wanted = useRested(name.trim().slice(0, nameMax))
  const { data } = useQuery({
    queryKey: ['workflows', 'named', wanted],
    enabled: wanted !== '',
    queryFn: () => api.workflows.list({ query: { q: wanted, sort: 'name', limit: 100 } }),
  })
  const same = data?.data.find((one) => one.id !== except && isSame(one.name, wanted))
  if (same === undefined) return null
  return (
    <p className="c-wait t13" role="status">
      {m.workflows.sameName(same.name)} <Link to={`/workflows/${same.id}`}>{m.workflows.seeSame}</Link>
    </p>
  )
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.toLowerCase()
}

/** A text once it rests for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
