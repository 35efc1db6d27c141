/** Templates of projects, for `npm create blockwork` and for `blockwork new`. */
export { createProject, writeProject, type Outcome } from './program.js';
export { isProjectName, projectFiles } from './project-files.js';
export { defaultTemplate, isTemplate, templates, type Template, type TemplateName } from './templates.js';
