import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { useMay } from '#src/session/use-may.ts'
import { useIsAdmin } from '#src/session/use-is-admin.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'

/** Whether a model answers, and what is missing if not. */
export function useModels() {
  return useQuery({ queryKey: ['ai.health'], retry: false, staleTime: 60_000, queryFn: () => api.aiAssist.health() })
}

/** What is missing where a model is needed, before anything is typed in vain, and the way to add one. */
export function ModelState({ children }: { readonly children?: ReactNode }) {
  const health = useModels()
  const isAdmin = useIsAdmin()
  const mayAdd = useMay('models:write') && isAdmin
  if (health.data === undefined || health.data.status === 'ok') return null
  const { configured, detail } = health.data
  return (
    <section className="problem model-state" role="status">
      <h2>{configured ? m.making.modelAway : m.making.noModel}</h2>
      <p className="i2">{configured && detail !== null ? detail : m.advice.model_not_configured}</p>
      {(mayAdd || children !== undefined) && (
        <div className="row wrap">
          {mayAdd && <ButtonLink to="/settings/models">{configured ? m.ownModels.nav : m.ownModels.add}</ButtonLink>}
          {children}
        </div>
      )}
    </section>
  )
}
