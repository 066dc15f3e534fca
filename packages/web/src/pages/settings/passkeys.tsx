import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { canUsePasskeys } from '#src/session/can-use-passkeys.ts'
import { makePasskey } from '#src/session/passkeys.ts'
import { signInMethods } from '#src/session/session.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'

/** The passkeys of the person. */
export function Passkeys() {
  const s = m.passkeys
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const methods = useQuery({ queryKey: ['session.methods'], queryFn: signInMethods, staleTime: Number.POSITIVE_INFINITY })
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: () => api.auth.passkeys() })
  const list = passkeys.data?.data ?? []
  const canAdd = canUsePasskeys() && methods.data?.passkey === true
  const changed = () => queries.invalidateQueries({ queryKey: ['passkeys'] })
  const add = () =>
    open(s.add, (close) => (
      <DataForm
        initial={{ name: '' }}
        before={<p className="i2">{s.addText}</p>}
        fields={[{ name: 'name', label: s.name, hint: s.nameHint, required: true, autoFocus: true }]}
        send={async ({ name }) => {
          const { request, options } = await api.auth.passkeyOptions()
          await api.auth.passkeyAdd({ body: { request, name, credential: await makePasskey(options) } })
          await changed()
          close()
        }}
        label={m.session.continue}
      />
    ))
  return (
    <section className="panel acard">
      <header className="row wrap">
        <h2 className="t16">{s.title}</h2>
        <span className="sp" />
        {canAdd && <Button onClick={add}>{s.add}</Button>}
      </header>
      <p className="t13 i2">{canAdd ? s.text : s.unavailable}</p>
      {list.map(({ id, name, synced, createdAt, lastUsedAt }) => (
        <div key={id} className="row wrap">
          <span className="b trunc">{name}</span>
          {synced && <Badge tone="off">{s.synced}</Badge>}
          <span className="t13 i2">
            {lastUsedAt === null ? s.added : s.used} <Time at={lastUsedAt ?? createdAt} kind="ago" />
          </span>
          <span className="sp" />
          <Button
            size="sm"
            aria-label={s.removeNamed(name)}
            onClick={() => confirm(s.remove, s.removeText(name), () => api.auth.passkeyDelete({ params: { id } }).then(changed))}
          >
            {m.common.remove}
          </Button>
        </div>
      ))}
      {sheet}
    </section>
  )
}
