export { createAssessments } from './assessment-service.ts'
export { deleteAssessmentsOf } from './assessment-store.ts'
export { readinessHandlers } from './handlers.ts'
export { questions, version } from './questionnaire.ts'
