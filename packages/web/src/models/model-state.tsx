import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'

/** Whether a model answers, and what is missing if not. */
export function useModels() {
  return useQuery({ queryKey: ['ai.health'], retry: false, staleTime: 60_000, queryFn: () => api.aiAssist.health() })
}

/** What is missing where a model is needed, before anything is typed in vain. */
export function ModelState({ children }: { readonly children?: ReactNode }) {
  const health = useModels()
  if (health.data === undefined || health.data.status === 'ok') return null
  return (
    <section className="problem model-state" role="status">
      <h2>{health.data.configured ? m.making.modelAway : m.making.noModel}</h2>
      <p className="i2">{health.data.detail ?? m.advice.model_not_configured}</p>
      {children !== undefined && <div className="row wrap">{children}</div>}
    </section>
  )
}
