import { permissionsView } from '#modules/workflows/index.ts'
import { rawJson } from '#platform/http/index.ts'
import type { Template } from './model.ts'

export function summaryView({ id, title, description, translations, category, tags, version, permissions, parameters }: Template) {
  return {
    id,
    title,
    summary: description,
    translations,
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
  const schema = definition.input?.schema
  return {
    ...summaryView(template),
    permissions: permissionsView(permissions),
    inputSchema: schema !== undefined && 'document' in schema ? schema.document : null,
    definition: rawJson(JSON.stringify(definition)),
    definitionText: source,
    readme,
    drawing,
  }
}
