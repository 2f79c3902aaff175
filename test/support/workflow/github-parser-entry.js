export { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
export { parseAction } from "@actions/workflow-parser/actions/action-parser";
