import { rawJson } from '#platform/http/index.ts'
import type { Template } from './model.ts'

export function summaryView({ id, title, description, category, tags, version, permissions, parameters }: Template) {
  return {
    id,
    title,
    summary: description,
    category,
    tags: [...tags],
    version,
    secrets: [...permissions.secrets],
    parameters: parameters.map(({ name, kind, description: what, required, example }) => ({
      name,
      kind,
      description: what,
      required,
      example,
    })),
  }
}

export function detailsView(template: Template) {
  const { definition, source, readme, drawing, permissions } = template
  const { hosts, functions, secrets, workflows, events, scripts, schedules } = permissions
  const schema = definition.input?.schema
  const lists = { hosts: [...hosts], functions: [...functions], secrets: [...secrets], workflows: [...workflows], events: [...events] }
  return {
    ...summaryView(template),
    permissions: { ...lists, scripts, schedules },
    inputSchema: schema !== undefined && 'document' in schema ? schema.document : null,
    definition: rawJson(JSON.stringify(definition)),
    definitionText: source,
    readme,
    drawing,
  }
}
