"""Gradients of Programs.

The table below says where each name is; `core/lazy.py` explains its form. Names are imported at their first use.
"""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    within fluid.imports: *
    static.autodiff.backward: append_backward calc_gradient gradients
    within fluid.internals.nested: _as_list=as_list
    within fluid.internals.gradients.names: _all_in_set_=all_in_set _find_loss_op_=find_loss_op _find_op_path_=find_op_path
    within fluid.internals.gradients.names: _get_no_grad_set_name=no_grad_names _get_output_names=output_names serialize_op_decs
    within fluid.internals.gradients.names: _is_ancestor_block=is_ancestor_block _is_grad_var_=is_grad_var _some_in_set_=some_in_set
    within fluid.internals.gradients.names: _strip_grad_suffix_=strip_grad_suffix
    within fluid.internals.gradients.names: _create_op_desc_=create_op_desc _find_parent_op_=find_parent_op
    within fluid.internals.gradients.names: _get_son_parent_block_idx_dict=parents_of_block _rename_arg_=rename_arg
    within fluid.internals.gradients.names: _get_stop_gradients_=stop_gradients _pretty_op_desc_=pretty_op_desc
    within fluid.internals.gradients.names: _rename_grad_name_=rename_grad_name
    within fluid.internals.gradients.steps: _add_descs_to_block=add_descs _add_needed_descs_to_block=add_needed_descs
    within fluid.internals.gradients.steps: _addup_repetitive_outputs_=add_up_repeated_outputs
    within fluid.internals.gradients.steps: _append_backward_ops_=append_backward_ops _append_backward_vars_=append_backward_vars
    within fluid.internals.gradients.steps: _create_loss_op_desc_=loss_op_desc _find_no_grad_vars=no_grad_vars
    within fluid.internals.gradients.steps: _get_sub_block_path=sub_block_path _infer_var_data_type_shape_=infer_like_forward
    within fluid.internals.gradients.steps: _remove_no_grad_branch_=remove_no_grad_branch
    within fluid.internals.gradients.steps: _rename_grad_=rename_grads
    within fluid.internals.gradients.recomputing: _append_backward_ops_with_checkpoints_=append_with_checkpoints
    within fluid.internals.gradients.names: _is_grad_op_=is_grad_op
    within fluid.internals.gradients.apart: _find_not_need_ops=operators_apart
    within fluid.internals.gradients.program_stats: ProgramStats
    within fluid.internals.loggers: _logger=backward
    """,
)
