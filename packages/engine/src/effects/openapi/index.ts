export { createOpenApiFunction, type OpenApiFunctionDeps } from './openapi-function.ts'
