import type { groups, Reply, Sent } from '@millrace/contract'

type Workflow = Pick<Reply<(typeof groups)['workflows']['get']>, 'name' | 'description' | 'tags' | 'minutesPerRun' | 'state'>
type Changes = Pick<
  NonNullable<Sent<(typeof groups)['workflows']['update']>['body']>,
  'name' | 'description' | 'tags' | 'minutesPerRun' | 'enabled'
>

/** The settings of a workflow as a person types them. */
export interface SettingsValues {
  readonly name: string
  readonly description: string
  readonly tags: string
  readonly minutes: string
  readonly enabled: boolean
  readonly [other: string]: unknown
}

export function settingsOf({ name, description, tags, minutesPerRun, state }: Workflow): SettingsValues {
  return {
    name,
    description: description ?? '',
    tags: tags.join(', '),
    minutes: minutesPerRun === null ? '' : String(minutesPerRun),
    enabled: state !== 'disabled',
  }
}

/** What a person changed, so that what others changed meanwhile stays: a workflow that was disabled is not enabled by its new description. */
export function changedSettings(before: SettingsValues, { name, description, tags, minutes, enabled }: SettingsValues): Changes {
  return {
    ...(name === before.name ? {} : { name }),
    ...(description === before.description ? {} : { description: description === '' ? null : description }),
    ...(tags === before.tags ? {} : { tags: tagsIn(tags) }),
    ...(minutes === before.minutes ? {} : { minutesPerRun: minutes.trim() === '' ? null : Number(minutes) }),
    ...(enabled === before.enabled ? {} : { enabled }),
  }
}

const tagsIn = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
