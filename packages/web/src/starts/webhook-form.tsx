import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import type { Trigger } from '#src/starts/what-starts.tsx'

const schemes = ['standard', 'github', 'stripe', 'slack', 'hmac', 'basic', 'none'] as const
const replies = ['accepted', 'end', 'respond'] as const
const schemeOf = (text: string) => schemes.find((scheme) => scheme === text) ?? 'standard'
const replyOf = (text: string) => replies.find((reply) => reply === text) ?? 'accepted'

interface WebhookFormProps {
  readonly workflow: string
  readonly done: (made: Trigger, secret: string | null) => void
}

/** A webhook: how its sender proves who it is, what the workflow gets, and when the sender gets the response. */
export function WebhookForm({ workflow, done }: WebhookFormProps) {
  const s = m.starts
  return (
    <DataForm
      initial={{
        name: s.webhook,
        scheme: 'standard',
        username: '',
        header: 'X-Signature',
        secret: '',
        reply: 'accepted',
        sameContentSeconds: '',
        rawBody: false,
        mapping: '',
      }}
      fields={({ scheme }) => [
        { name: 'name', label: m.workflows.name, required: true, autoFocus: true },
        { name: 'scheme', label: s.signature, kind: 'select', options: s.schemes, hint: s.signatureHint },
        ...schemeFields(scheme),
        { name: 'reply', label: s.reply, kind: 'select', options: s.replies },
        { name: 'sameContentSeconds', label: m.starting.repeated, kind: 'number', placeholder: '0', hint: m.starting.repeatedHint },
        { name: 'rawBody', label: m.starting.rawBody, kind: 'switch', hint: m.starting.rawBodyHint },
        { name: 'mapping', label: m.starting.mapping, kind: 'code', rows: 2, placeholder: '.body', hint: m.starting.mappingHint },
      ]}
      send={async ({ name, scheme, username, header, secret, reply, sameContentSeconds: given, rawBody, mapping }) => {
        const signature = {
          scheme: schemeOf(scheme),
          ...(scheme === 'basic' ? { username } : {}),
          ...(scheme === 'hmac' ? { header } : {}),
          ...(secret === '' || scheme === 'none' ? {} : { secret }),
        }
        const map = mapping.trim() === '' ? {} : { mapping: mapping.trim() }
        const sameContentSeconds = Number(given)
        const webhook = { reply: replyOf(reply), signature, rawBody, ...(sameContentSeconds === 0 ? {} : { sameContentSeconds }) }
        const { secret: made, ...trigger } = await api.triggers.createWebhook({ body: { workflowId: workflow, name, webhook, ...map } })
        done(trigger, made)
      }}
      label={s.add}
    />
  )
}

function schemeFields(scheme: string): readonly FieldSpec[] {
  if (scheme === 'none') return []
  const secret: FieldSpec = { name: 'secret', label: m.starting.ownSecret, kind: 'new-password', hint: m.starting.ownSecretHint }
  if (scheme === 'basic') return [{ name: 'username', label: m.starting.username, required: true }, secret]
  return scheme === 'hmac' ? [{ name: 'header', label: m.starting.header, required: true }, secret] : [secret]
}
