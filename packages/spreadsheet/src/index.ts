/** Schemas and documents of policies in spreadsheets, both ways, with findings by cell. */
export { parseFormula } from './formulas/parse-formula.js';
export { evaluate, type CellReader, type Value } from './formulas/evaluate.js';
export { expressionOf, type KeyReader } from './formulas/expression.js';
export { conditionOf, formulaOf } from './formulas/condition.js';
export { FormulaError, type BinaryOperator, type CellReference, type Formula } from './formulas/formula.js';
export { documentTable, tableCsv, tableWorkbook, type DocumentTable } from './documents/document-table.js';
export { formTables, type FormColumn, type FormTable } from './documents/form-tables.js';
export { readCsvRows } from './documents/csv-rows.js';
export { readRows, type SheetDocument, type SheetDocuments } from './documents/read-rows.js';
export { rowTemplate } from './documents/row-template.js';
export { exportSchemas } from './schemas/export-schemas.js';
export { importSchemas, type ImportedSchemas, type ImportOptions } from './schemas/import-schemas.js';
export { planImport, planSchemas, type ImportPlan, type PlanOptions, type SchemaEdit } from './schemas/plan-import.js';
export { previewImport, type SchemaPreview } from './schemas/preview.js';
export type { PolicySchema, SheetFinding, SheetFindingCode } from './schemas/schema.js';
export { readWorkbook } from './workbook/read-workbook.js';
export { writeWorkbook } from './workbook/write-workbook.js';
export { workbookLimits, type WorkbookLimits } from './workbook/limits.js';
export { WorkbookError, type WorkbookErrorCode } from './workbook/workbook-error.js';
export {
  rowOf,
  type Cell,
  type CellValue,
  type Row,
  type Sheet,
  type Validation,
  type Workbook,
} from './workbook/workbook.js';
