/* tco.c - net present value and annuity. */
#include "models/tco/tco.h"

#include <math.h>

double rr_npv(const double *cash, size_t months, double wacc)
{
	double sum = 0;
	for (size_t t = 0; t < months; t++) sum += cash[t] / pow(1 + wacc, (double)t / 12);
	return sum;
}

double rr_annuity(double principal, double rate_per_month, double months)
{
	if (rate_per_month == 0) return principal / months;
	/* expm1 and log1p: for small rates 1 - (1 + i)^-n cancels. */
	return principal * rate_per_month / -expm1(-months * log1p(rate_per_month));
}
