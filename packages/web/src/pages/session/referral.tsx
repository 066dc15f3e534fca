import { useNavigate, useParams } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Outside } from '#src/pages/session/outside.tsx'
import { rememberReferral } from '#src/pages/session/referral-code.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** The link of a referral: keeps its code for the registration. */
export function Page() {
  const { code = '' }: { code?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const query = useQuery({ queryKey: ['referral', code], retry: false, queryFn: () => api.referrals.resolve({ params: { code } }) })
  const known = query.data?.code
  useEffect(() => {
    if (known === undefined) return
    rememberReferral(known)
    void navigate({ to: '/register', replace: true })
  }, [known, navigate])
  return (
    <Outside title={m.session.createAccount} lede={query.isError ? m.referrals.unknown : location.host}>
      {query.isError ? (
        <ButtonLink to="/register" look="primary" size="lg">
          {m.session.createAccount}
        </ButtonLink>
      ) : (
        <Skeleton rows={2} />
      )}
    </Outside>
  )
}
