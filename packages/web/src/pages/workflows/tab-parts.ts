import { lazy } from 'react'

// Each tab but the editor loads when a person turns to it.
export const ReadOnlyDefinition = lazy(() =>
  import('#src/editor/read-only-definition.tsx').then((module) => ({ default: module.ReadOnlyDefinition })),
)
export const Starts = lazy(() => import('#src/starts/starts.tsx').then((module) => ({ default: module.Starts })))
export const Versions = lazy(() => import('#src/pages/workflows/versions.tsx').then((module) => ({ default: module.Versions })))
export const WorkflowInsights = lazy(() =>
  import('#src/pages/workflows/workflow-insights.tsx').then((module) => ({ default: module.WorkflowInsights })),
)
export const WorkflowPrivacy = lazy(() =>
  import('#src/pages/workflows/workflow-privacy.tsx').then((module) => ({ default: module.WorkflowPrivacy })),
)
export const WorkflowRuns = lazy(() =>
  import('#src/pages/workflows/workflow-runs.tsx').then((module) => ({ default: module.WorkflowRuns })),
)
export const WorkflowSettings = lazy(() =>
  import('#src/pages/workflows/workflow-settings.tsx').then((module) => ({ default: module.WorkflowSettings })),
)
