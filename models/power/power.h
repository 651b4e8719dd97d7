/* power.h - from busy GPUs to watts at the socket and energy at the meter.
 *
 *   P_node = P_idle + (P_max - P_idle) u        u = share of the node's GPUs that are busy
 *   E_facility = PUE x E_node
 *
 * P_idle and P_max are the whole node, GPUs included, as measured at the socket, not
 * nameplate: eight H100 in training draw 5.7 to 7.1 kW of 10.2 kW rated (MLPerf
 * Training v4.0, power results). The linear form is the exponent 1 of
 * P_idle + (P_max - P_idle) u^a (Fan, Weber, Barroso, ISCA 2007, section 4.1), which
 * holds where u is the share of busy GPUs rather than the load of each. It leaves
 * out the phase of the work, clocks and caps, and what a facility draws that does
 * not follow its load; PUE is constant here. A power that is unknown is NAN and
 * stays NAN. */
#ifndef RR_MODELS_POWER_H
#define RR_MODELS_POWER_H

/* Watts of one node. BUSY is 0 to 1. */
double rr_node_power_w(double idle_w, double max_w, double busy);

/* Kilowatt-hours of nodes that were on for NODE_S seconds in all, BUSY_NODE_S of
 * them busy: because power is linear, only the two integrals matter, not when. A
 * node with half of its GPUs busy for 10 s adds 5 s to BUSY_NODE_S. */
double rr_node_energy_kwh(double idle_w, double max_w, double node_s, double busy_node_s);

/* Kilowatt-hours at the meter for IT_KWH at the sockets. */
double rr_facility_energy_kwh(double it_kwh, double pue);

/* PUE of a span: the ratio of energies over it, never a mean of ratios (ISO/IEC
 * 30134-2). NAN when nothing was on. */
double rr_pue(double total_kwh, double it_kwh);

#endif
