import { personalDataKinds, privacyPoints } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import type { Policy } from '#src/pages/trust/policy.ts'
import { toast } from '#src/ui/toast.tsx'

interface PolicyFormProps {
  readonly policy: Policy | undefined
  /** Of a new policy; every workflow unless given. */
  readonly workflow?: string | undefined
  readonly done: () => Promise<unknown>
}

const actions = ['detect', 'redact', 'block'] as const
const bases = ['consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests'] as const

/** Sets the policy of the account or of one workflow. */
export function PolicyForm({ policy, workflow = '', done }: PolicyFormProps) {
  const p = m.privacy
  const initial = {
    workflowId: policy === undefined ? workflow : (policy.workflowId ?? ''),
    point: policy?.point ?? 'input',
    action: policy?.action ?? 'detect',
    kinds: policy?.kinds ?? [],
    minScore: String(policy?.minScore ?? 0.6),
    purpose: policy?.purpose ?? '',
    legalBasis: policy?.legalBasis ?? 'contract',
    retention: policy?.retention ?? '',
    enabled: policy?.enabled ?? true,
  }
  return (
    <DataForm
      initial={initial}
      fields={({ action, point }) => [
        { name: 'workflowId', label: p.appliesTo, kind: 'workflow', options: [['', p.everyWorkflow]] },
        {
          name: 'point',
          label: p.point,
          kind: 'select',
          options: privacyPoints.map((one) => [one, p.points[one]] as const),
          hint: p.pointHints[point],
        },
        {
          name: 'action',
          label: p.action,
          kind: 'select',
          options: actions.map((one) => [one, p.actions[one]] as const),
          hint: action === 'block' ? p.blockHints[point] : p.actionHints[action],
        },
        {
          name: 'kinds',
          label: p.kinds,
          kind: 'checks',
          hint: p.kindsHint,
          options: personalDataKinds.map((kind) => [kind, p.kindOf(kind)] as const),
        },
        { name: 'minScore', label: p.minScore, kind: 'number', hint: p.minScoreHint },
        { name: 'purpose', label: p.purpose, required: true },
        { name: 'legalBasis', label: p.legalBasis, kind: 'select', options: bases.map((one) => [one, p.bases[one]] as const) },
        { name: 'retention', label: p.retention, placeholder: 'P90D', hint: p.retentionHint },
        { name: 'enabled', label: p.enabled, kind: 'switch' },
      ]}
      send={async ({ workflowId, retention, minScore, kinds, ...rest }) => {
        const body = {
          ...rest,
          kinds: [...kinds],
          minScore: Number(minScore),
          ...(workflowId === '' ? {} : { workflowId }),
          ...(retention === '' ? {} : { retention }),
        }
        await api.privacy.putPolicy({ body }, policy === undefined ? {} : { ifMatch: policy.revision })
        toast(m.common.saved)
        await done()
      }}
      label={m.common.save}
    />
  )
}
