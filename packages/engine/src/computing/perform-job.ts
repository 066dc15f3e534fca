import { canonicalJson, canonicalYaml, renameDocument } from '@millrace/dsl'
import { compileSchema } from '#compile/schema.ts'
import { parseJson } from '#core/json.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { parseDocument } from '#effects/openapi/document/parse-document.ts'
import { analyseDefinition, findPlaces, readResource } from './analyse-definition.ts'
import { compute } from './compute.ts'
import type { OpenApiJob, OpenApiReading, ThreadJob, ThreadResults } from './thread-job.ts'

/** Performs a job on this thread, however long it takes. */
export function performJob<J extends ThreadJob>(job: J): ThreadResults[J['kind']]
export function performJob(job: ThreadJob): ThreadResults[ThreadJob['kind']] {
  switch (job.kind) {
    case 'expression':
    case 'template':
    case 'schema':
      return compute(job)
    case 'definition':
      return analyseDefinition(job)
    case 'places':
      return findPlaces(job)
    case 'text':
      return job.syntax === 'yaml' ? canonicalYaml(job.definition) : canonicalJson(job.definition)
    case 'renaming':
      return renameDocument(job.source, job.documentName, job.from) ?? job.source
    case 'faults':
      return compileSchema({ document: parseJson(job.source) })(job.value)
    case 'resource':
      return readResource(job)
    case 'openapi':
      return readOpenApi(job)
  }
}

function readOpenApi({ bytes, url }: OpenApiJob): OpenApiReading {
  try {
    return { ok: true, document: parseDocument(bytes, url) }
  } catch (error) {
    if (error instanceof HttpCallError) return { ok: false, error: { ...error.error, detail: error.message } }
    throw error
  }
}
