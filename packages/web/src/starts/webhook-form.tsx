import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { useFirstMapping } from '#src/starts/first-mapping.ts'
import { saveStart, type StartFormProps } from '#src/starts/save-start.ts'
import { settingsOf } from '#src/starts/webhook-settings.ts'
import type { Trigger } from '#src/starts/what-starts.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

const schemes = ['standard', 'github', 'stripe', 'slack', 'hmac', 'basic', 'none'] as const
const replies = ['accepted', 'end', 'respond'] as const
const schemeOf = (text: string) => schemes.find((scheme) => scheme === text) ?? 'standard'
const replyOf = (text: string) => replies.find((reply) => reply === text) ?? 'accepted'

interface WebhookFormProps extends Omit<StartFormProps, 'done'> {
  readonly done: (saved: Trigger, secret: string | null) => Promise<unknown>
}

type Settings = ReturnType<typeof settingsOf>

/** A webhook: how its sender proves who it is, what the workflow gets, and when the sender gets the response. */
export function WebhookForm({ workflow, trigger, done }: WebhookFormProps) {
  const s = m.starts
  const mapping = useFirstMapping({ workflow, trigger }, '.body', ['body', 'headers', 'query', 'rawBody'])
  const before: Partial<Settings> = trigger?.webhook === undefined || trigger.webhook === null ? {} : settingsOf(trigger.webhook)
  if (mapping === undefined) return <Skeleton />
  return (
    <DataForm
      initial={{
        name: trigger?.name ?? s.webhook,
        scheme: before.signature?.scheme ?? 'standard',
        username: before.signature?.username ?? '',
        header: before.signature?.header ?? 'X-Signature',
        secret: '',
        reply: before.reply ?? 'accepted',
        sameContentSeconds: before.sameContentSeconds?.toString() ?? '',
        rawBody: before.rawBody ?? false,
        filter: trigger?.filter ?? '',
        mapping,
      }}
      fields={({ scheme }) => [
        { name: 'name', label: m.workflows.name, required: true, autoFocus: true },
        { name: 'scheme', label: s.signature, kind: 'select', options: s.schemes, hint: s.signatureHint },
        ...schemeFields(scheme, scheme === before.signature?.scheme),
        { name: 'reply', label: s.reply, kind: 'select', options: s.replies },
        { name: 'sameContentSeconds', label: m.starting.repeated, kind: 'number', placeholder: '0', hint: m.starting.repeatedHint },
        { name: 'rawBody', label: m.starting.rawBody, kind: 'switch', hint: m.starting.rawBodyHint },
        {
          name: 'filter',
          label: m.starting.filter,
          kind: 'code',
          rows: 2,
          placeholder: '.body.ref == "refs/heads/main"',
          hint: m.starting.filterHint,
        },
        { name: 'mapping', label: m.starting.mapping, kind: 'code', rows: 2, placeholder: '.body', hint: m.starting.mappingHint },
      ]}
      send={async ({ name, scheme, username, header, secret, reply, sameContentSeconds: given, rawBody, filter, mapping: map }) => {
        const signature = {
          ...(scheme === before.signature?.scheme ? before.signature : {}),
          scheme: schemeOf(scheme),
          ...(scheme === 'basic' ? { username } : {}),
          ...(scheme === 'hmac' ? { header } : {}),
          ...(secret === '' || scheme === 'none' ? {} : { secret }),
        }
        const sameContentSeconds = Number(given)
        // What the form does not show stays.
        const { sameContentSeconds: _sameContent, ...kept } = before
        const webhook = { ...kept, reply: replyOf(reply), signature, rawBody, ...(sameContentSeconds === 0 ? {} : { sameContentSeconds }) }
        const saved = await saveStart({ workflow, trigger }, { kind: 'webhook', name, settings: { webhook }, filter, mapping: map })
        const { secret: made, ...start } = saved
        await done(start, made)
      }}
      label={trigger === undefined ? s.add : m.common.save}
    />
  )
}

function schemeFields(scheme: string, hasSecret: boolean): readonly FieldSpec[] {
  if (scheme === 'none') return []
  const hint = hasSecret ? m.starting.keptSecretHint : m.starting.ownSecretHint
  const secret: FieldSpec = { name: 'secret', label: m.starting.ownSecret, kind: 'new-password', hint }
  if (scheme === 'basic') return [{ name: 'username', label: m.starting.username, required: true }, secret]
  return scheme === 'hmac' ? [{ name: 'header', label: m.starting.header, required: true }, secret] : [secret]
}
