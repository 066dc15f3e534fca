import { performJobs } from '@millrace/engine/threads'
import { validateOpenApi } from './validate-openapi.ts'

performJobs(validateOpenApi)
